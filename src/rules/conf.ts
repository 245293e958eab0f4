/** Questions rules ask of a conf: what decides a setting, where it stands, what to write instead. */
import type { Assignment, ConfFacts, Origin, Setting, Surface, SurfaceKind } from '../model/conf.js';
import type { Facts } from '../model/facts.js';
import type { Span } from '../model/span.js';
import type { Draft, Verdict } from './rule.js';

/** A check that sees only the conf; `needs` must name it. */
export function forConf(check: (conf: ConfFacts) => Verdict): (facts: Facts) => Verdict {
  return (facts) => {
    if (facts.conf?.state !== 'seen') throw new Error('the rule needs a conf that was read');
    return check(facts.conf.value);
  };
}

/** The verdict of a rule that looked everywhere it had to. */
export function found(findings: readonly Draft[], blindSpots: readonly string[] = []): Verdict {
  return { findings, blindSpots };
}

/** The flags that shape an interface, by what they decide, and the conf variables that carry them. */
export const settingsOf = {
  http: {
    enable: ['rpc', 'RPC_ENABLE'],
    addr: ['rpcaddr', 'RPC_ADDR'],
    api: ['rpcapi', 'RPC_API'],
    origins: ['rpccorsdomain', 'RPC_CORSDOMAIN'],
    vhosts: ['rpcvhosts', 'RPC_VHOSTS'],
  },
  ws: {
    enable: ['ws', 'WS_ENABLE'],
    addr: ['wsaddr', 'WS_ADDR'],
    api: ['wsapi', 'WS_API'],
    origins: ['wsorigins', 'WS_ORIGINS'],
  },
  grpc: { enable: ['grpc', null], addr: ['grpcaddr', null] },
  pprof: { enable: ['pprof', null], addr: ['pprofaddr', null] },
  metrics: { enable: ['prometheus', 'PROMETHEUS'] },
  mainbridge: { enable: ['mainbridge', 'SC_MAIN_BRIDGE'] },
  ipc: { enable: ['ipcdisable', null] },
} as const satisfies Record<
  SurfaceKind,
  Readonly<Record<string, readonly [flag: string, variable: string | null]>>
>;

/** The surfaces of these kinds that are on. */
export function surfacesOn(conf: ConfFacts, ...kinds: readonly SurfaceKind[]): Surface[] {
  return conf.surfaces.filter(({ kind, state }) => state === 'on' && kinds.includes(kind));
}

/** Why surfaces of these kinds cannot be judged: one reason each. */
export function blindSurfaces(conf: ConfFacts, ...kinds: readonly SurfaceKind[]): string[] {
  return conf.surfaces
    .filter(({ kind, state }) => state === 'unknown' && kinds.includes(kind))
    .map(({ kind, reason }) => `${kind}: ${reason ?? 'whether it is on cannot be known offline'}`);
}

/** Why the module lists of interfaces that are on cannot be judged. */
export function blindLists(conf: ConfFacts, ...kinds: readonly SurfaceKind[]): string[] {
  return surfacesOn(conf, ...kinds)
    .filter(({ modules }) => modules === null)
    .map(({ kind, reason }) => `${kind}: ${reason ?? 'its module list cannot be known offline'}`);
}

/** The assignment that decides a variable's value; undefined when the file does not set it. */
export function effectiveAssignment(conf: ConfFacts, variable: string): Assignment | undefined {
  return conf.assignments.findLast((one) => one.variable === variable && one.effective);
}

/** The reason a setting's value cannot be known, or null. */
export function opaqueReason(conf: ConfFacts, flag: string): string | null {
  return conf.settings[flag]?.opaque ?? null;
}

/** The place where nothing in particular stands: the file itself. */
export function fileStart(conf: ConfFacts): Span {
  return { file: conf.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

/** Where an origin stands in the file; null when it stands nowhere in it. */
export function originPlace(origin: Origin): Span | null {
  switch (origin.kind) {
    case 'assignment':
    case 'flag':
    case 'environment':
    case 'yaml':
      return origin.at;
    case 'launcher':
    case 'default':
      return null;
  }
}

/** Where the first of these flags that the file sets stands; else the file's start. */
export function placeOf(conf: ConfFacts, ...flags: readonly string[]): Span {
  for (const flag of flags) {
    const setting = conf.settings[flag];
    const at = setting === undefined ? null : originPlace(setting.origin);
    if (at !== null) return at;
  }
  return fileStart(conf);
}

/** What the reader calls a setting: the variable it comes from, else the flag. */
export function nameOf(conf: ConfFacts, flag: string): string {
  const origin = conf.settings[flag]?.origin;
  if (origin?.kind === 'assignment' || origin?.kind === 'environment') return origin.variable;
  return `--${flag}`;
}

/** The line that gives a setting another value where it is set now: `RPC_ADDR="127.0.0.1"`. */
export function assign(
  conf: ConfFacts,
  [flag, variable]: readonly [string, string | null],
  value: string,
): string {
  const origin = conf.settings[flag]?.origin;
  if (origin?.kind === 'assignment') return `${origin.variable}="${value}"`;
  if (origin?.kind === 'flag') return additionalWith(conf, flag, origin.flag, value);
  if (origin?.kind === 'environment') return `export ${origin.variable}="${value}"`;
  if (variable !== null && conf.reads.includes(variable)) return `${variable}="${value}"`;
  return `ADDITIONAL="$ADDITIONAL --${flag} ${value}"`;
}

/** The line that switches a boolean setting off where it is on now. */
export function switchOff(conf: ConfFacts, [flag, variable]: readonly [string, string | null]): string {
  const origin = conf.settings[flag]?.origin;
  if (origin?.kind === 'flag') return additionalWith(conf, flag, origin.flag, null);
  if (origin?.kind === 'environment') return `unset ${origin.variable}`;
  return `${origin?.kind === 'assignment' ? origin.variable : (variable ?? flag)}=0`;
}

/** ADDITIONAL as it stands, with the flag's value replaced; `value` null takes the flag out. */
export function additionalWith(conf: ConfFacts, flag: string, written: string, value: string | null): string {
  const words: string[] = [];
  const given = conf.words.filter(({ variable }) => variable === 'ADDITIONAL').map(({ text }) => text ?? '…');
  const names = [written.replace(/^-+/, ''), flag];
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    const [name = '', inline] = word.replace(/^--?/, '').split('=', 2);
    if (!word.startsWith('-') || !names.includes(name)) {
      words.push(word);
      continue;
    }
    const takesNext = inline === undefined && isValue(given[at + 1]);
    if (value !== null)
      words.push(...(inline === undefined ? [word, value] : [`${word.split('=', 1)[0]}=${value}`]));
    if (takesNext) at += 1;
  }
  return `ADDITIONAL="${words.join(' ')}"`;
}

function isValue(word: string | undefined): boolean {
  return word !== undefined && !word.startsWith('-');
}

/** Values of a setting that something later hides, with where they stand. */
export function shadowedPlaces(setting: Setting): { at: Span; note: string; value: string }[] {
  return setting.shadowed.flatMap(({ value, origin }) => {
    const at = originPlace(origin);
    return at === null ? [] : [{ at, note: 'this value is not used', value: String(value ?? '') }];
  });
}

/** Words as a sentence lists them: `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A value quoted for a message, cut when it is long. */
export function quoted(value: string): string {
  return `"${value.length > 60 ? `${value.slice(0, 59)}…` : value}"`;
}

/** True when a place lies inside another. */
export function inside(inner: Span, outer: Span): boolean {
  const after = inner.line > outer.line || (inner.line === outer.line && inner.column >= outer.column);
  const before =
    inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
  return inner.file === outer.file && after && before;
}
