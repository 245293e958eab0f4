/** Variables in the place of a port or a socket, and the values that files give them. */

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

/** The paths of a socket whose address in these words holds a variable, by the values that the text gives it. */
export function socketsGiven(words: string, text: string): readonly string[] {
  const { 1: name = '', 2: rest = '' } = /\bunix[\w-]*:\$\{?([A-Za-z_]\w*)\}?([^\s"',]*)/i.exec(words) ?? [];
  if (name === '') return [];
  const given = new RegExp(String.raw`(?<![\w.$])${name}=["']?(\/[^\s"';$]+)`, 'g');
  return [...text.matchAll(given)].slice(0, maxPorts).map(([, path = '']) => path + rest);
}

/** Variables in variables. */
const maxDepth = 2;
/** Values of one variable: an address with more is of no use. */
const maxPorts = 64;
