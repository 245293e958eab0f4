/** What commands do to files, by their words. */
import type { Placed } from '../text/placed.js';
import { baseName } from './paths.js';

/** The file that `cp -r FROM TARGET` copies to this path below the target; null: none. */
export function sourceOf(from: string, below: string, isInside: boolean): string | null {
  if (from.endsWith('*')) return `${from.slice(0, -1)}${below}`;
  const folder = from.replace(/\/+$/, '');
  const name = `${baseName(folder)}/`;
  if (below.startsWith(name)) return `${folder}/${below.slice(name.length)}`;
  return isInside || /\.\w+$/.test(folder) ? null : `${folder}/${below}`;
}

/** The folder that a program unpacks or downloads files to; null: none that is named. */
export function unpackedTo(name: string, args: readonly Placed[]): string | null {
  if (name === 'git')
    return args[0]?.text === 'clone' && args.length > 2 ? (args.at(-1)?.text ?? null) : null;
  const option = name === 'tar' ? /^(?:-[a-zA-Z]*C|--directory)$/ : name === 'unzip' ? /^-d$/ : null;
  const at = option === null ? -1 : args.findIndex(({ text }) => option.test(text));
  return at < 0 ? null : (args[at + 1]?.text ?? null);
}

/** True for a program that changes the files it names in ways that are not followed. */
export function isEditor(name: string, args: readonly Placed[]): boolean {
  if (/^(?:ed|ex|vim?|patch|crudini|sponge|truncate|python3?)$/.test(name)) return true;
  const isInPlace = args.some(({ text }) => /^(?:-[a-zA-Z0-9]*i.*|--in-?place)$/.test(text));
  return isInPlace && /^(?:perl|ruby|[gm]?awk|yq|dasel)$/.test(name);
}

/** True for `kubectl apply -f -` and `docker compose -f - up`. */
export function appliesInput(name: string, args: readonly Placed[]): boolean {
  const isInput = args.some(
    ({ text }, at) => /^(?:-f|--file(?:name)?)$/.test(text) && args[at + 1]?.text === '-',
  );
  return isInput && /^(?:kubectl|oc|docker|docker-compose|podman)$/.test(name);
}

/** The lines that assign the variable of this line. */
export function assignmentLike(line: string): RegExp {
  const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)=/.exec(line)?.[1] ?? '';
  return name === '' ? /(?!)/g : new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}=.*\\n?`, 'gm');
}
