/** Variables in the place of a port or a socket, and the values that files give them. */
import { groupBy } from '../../../util/group-by.js';
import { oncePer } from '../../../util/once-per.js';
import type { LineIndex } from '../../sources/text/line-index.js';

/** `:$PORT`, `:${PORT}`, `:{$PORT}`, `:{{ port }}` and `:{{ .Values.port }}`. */
const ofPort = /:["']?(?:\{?\$\{?|\{\{-?[ \t]*(?:\.?\w+\.)*)(?<name>[A-Za-z_]\w*)/g;

/** The variable that is the port of the last address in these words; null if there is none. */
export function portVariableIn(words: string): string | null {
  return [...words.matchAll(ofPort)].at(-1)?.groups?.name ?? null;
}

/** The ports that texts give a variable, also by way of other variables: in shells, .env, YAML, INI and Terraform. */
export function portsGiven(name: string, texts: readonly string[], depth = 0): readonly number[] {
  const given = new RegExp(
    String.raw`(?<![\w.])${name}["']?(?:[ \t]*[:=]|:?-|[ \t]*\n[ \t]*["']?(?:value|default)["']?[ \t]*[:=])[ \t]*["']?(?:(?<port>\d{1,5})\b|(?:\$\{?|\{\{-?[ \t]*(?:\.?\w+\.)*)(?<other>[A-Za-z_]\w*)(?::?-(?<preset>\d{1,5})\b)?)`,
    'g',
  );
  const found = texts.flatMap((text) => [...text.matchAll(given)].map(({ groups }) => groups ?? {}));
  const literal = found.flatMap(({ port, preset }) => port ?? preset ?? []).map(Number);
  const others = new Set(found.flatMap(({ other }) => (other === undefined || other === name ? [] : other)));
  const further = depth === maxDepth ? [] : [...others].flatMap((one) => portsGiven(one, texts, depth + 1));
  return [...new Set([...literal, ...further])].slice(0, maxPorts);
}

const assigning = /(?<![\w.$-])([A-Za-z_]\w*)=(?=(["']?)([^\s"';]*)\2)/g;

/** The words of `NAME=word`, by name; the word may be such an assignment. */
const assignedIn = oncePer(({ text }: LineIndex) =>
  groupBy([...text.matchAll(assigning)], ([, name = '']) => name),
);

/** An address with each of the literal values that a script gives its variables; as it is where one has others, or none. */
export function valuesIn(address: string, script: LineIndex, depth = 0): readonly string[] {
  const [all, name = '', preset] = /\$\{?([A-Za-z_]\w*)(?::?-([\w.:/-]+))?\}?/.exec(address) ?? [];
  if (all === undefined || depth > maxDepth) return [address];
  const given = (assignedIn(script).get(name) ?? []).map(([, , , value]) => value);
  const known = new Set([...given, preset].filter((one) => one !== undefined));
  const isLiteral =
    known.size > 0 && known.size <= maxPorts && ![...known].some((one) => /[`*?]|\$\(/.test(one));
  if (!isLiteral) return [address];
  const filled = [...known].map((one) => address.replace(all, () => one));
  return filled.flatMap((one) => valuesIn(one, script, depth + 1)).slice(0, maxPorts);
}

/** Variables in variables. */
const maxDepth = 2;
/** Values of one variable: an address with more is of no use. */
const maxPorts = 64;
