/** The licences of what is in the program, as those licences ask. */
import { readdirSync, readFileSync } from 'node:fs';
import { manifest } from './bundled.js';

/** @throws when a package neither carries nor names a licence: then it must not be in the program */
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
