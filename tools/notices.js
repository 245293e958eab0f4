/** The licence notices of the bundled packages. */
import { readdirSync, readFileSync } from 'node:fs';
import { manifest } from './bundled.js';

/** @throws when a package has no licence: it must not be bundled */
export function notices(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license, author } = manifest(folder);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    if (typeof license !== 'string' && files.length === 0) throw new Error(`${name} names no licence`);
    const by = typeof author === 'string' ? author : author?.name;
    const said = `License: ${license ?? 'see below'}${by ? `. By ${by}` : ''}`;
    const texts = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').replace(/\r/g, '').trim());
    return [`${name} ${version}`, said, ...texts].join('\n\n');
  });
  const head = 'kaiactl holds code of these packages, each under its own licence.';
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
