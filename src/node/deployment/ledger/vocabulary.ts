/** The words of the ledger, derived from the kinds of node: what says that an interface is started, opened or widened. */
import type { Kind } from '../../kinds/kind.js';
import { type OtherClient, others } from '../../kinds/others.js';

/** The words of one kind of node. */
export interface Words {
  readonly kind: Kind;
  /** Flags, without dashes, that switch http or ws on, say who reaches them and what they offer, or name a file of flags. */
  readonly flags: ReadonlySet<string>;
}

export interface Vocabulary {
  readonly words: readonly Words[];
  /** A program or a launcher, as a word before a blank, a quote or a comma. */
  readonly program: RegExp;
  /** A flag, with its dashes, that few other programs than the kinds have. */
  readonly flag: RegExp;
  /** Flags of other clients that no node has, with their dashes. */
  readonly otherFlag: RegExp;
  /** A variable of the environment of a node, or of a launcher, that opens http or ws or lists modules; its value follows. */
  readonly variable: RegExp;
  /** True for every text with a sign, and for few others. */
  readonly hint: RegExp;
}

export function vocabularyOf(kinds: readonly Kind[], clients: readonly OtherClient[] = others): Vocabulary {
  const names = [
    ...kinds.flatMap(({ programs, launchers }) => [...programs, ...(launchers?.names ?? [])]),
    ...clients.flatMap(({ programs }) => programs.map(patternOf)),
    ...clients.flatMap(({ sharedPrograms }) => sharedPrograms.filter((one) => typeof one === 'string')),
  ];
  const flags = [...new Set(kinds.map(({ signs }) => signs.flag.source))];
  const generators = kinds.flatMap(({ signs }) => signs.generator?.program ?? []).join('|') || '(?!)';
  const own = clients.flatMap((one) =>
    one.own.map((name) => name.replaceAll('.', '\\.').replace('*', '[\\w.-]*')),
  );
  const variables = [...new Set(kinds.flatMap(variablesOf))];
  const programs = [...new Set(names)].join('|');
  return {
    words: kinds.map((kind) => ({ kind, flags: new Set(flagsOf(kind)) })),
    program: new RegExp(
      `(?<![\\w.@:\\u0080-\\uffff-])(?:${programs})(?:\\.exe)?(?=["'\`]?(?:[\\],\\s\\\\]|$))`,
      'g',
    ),
    flag: new RegExp(`(?<![\\w-])(?:${flags.join('|')})(?![\\w-])`, 'g'),
    otherFlag: new RegExp(`(?<![\\w-])--(?:${own.join('|')})(?![\\w-])`, 'g'),
    variable: new RegExp(`(?<![\\w$.{-])(${variables.join('|')})["']?[ \\t]*[:=][ \\t]*([^\\n#;]*)`, 'g'),
    hint: new RegExp(
      `\\b(?:${programs})(?:\\.exe)?["'\`]?[\\],\\s\\\\]|${flags.join('|')}|${variables.join('|')}|image["']?[ \\t]*[:=]|^[ \\t]*FROM[ \\t]|${generators}|admin[._]start|unlockAccount|^\\[json-rpc\\]|--(?:${own.join('|')})|(?:rpc|http|ws|enabled)[._-]?(?:apis?|modules|namespaces)`,
      'im',
    ),
  };
}

/** The name of a program without its anchors. */
function patternOf(program: string | RegExp): string {
  if (typeof program === 'string') return program.replaceAll('.', '\\.');
  return program.source.replace('(?:^|-)', '(?:[\\w-]*-)?').replaceAll(/[\^$]/g, '').replace('.*', '\\w*');
}

/** The flags of the interfaces that everyone may call, in any release, without dashes. */
function flagsOf({ interfaces, flags, configFile }: Kind): string[] {
  const { http, ws, pprof, metrics } = interfaces.flags;
  const names = [http, ws].flatMap((one) => [one.enable, one.addr, one.api, one.origins]);
  const own = [...names, http.vhosts, pprof.addr, metrics.addr, flags.unlock, configFile?.flag].filter(
    (name) => name != null,
  );
  // A release may know a flag by other names.
  return [...new Set(own.flatMap((name) => [name, ...(flags.ofAnyRelease(name)?.aliases ?? [])]))];
}

/** The variables that carry a flag of http or ws, in the node's environment and in the confs of its launchers. */
function variablesOf({ flags, interfaces, programOf, usualLauncher, launchers, signs }: Kind): string[] {
  const { http, ws } = interfaces.flags;
  const wanted = new Set([http, ws].flatMap((one) => [one.enable, one.addr, one.api, one.origins]));
  const environment = [...flags.of(programOf(usualLauncher)).byEnvironment]
    .filter(([name, flag]) => wanted.has(flag.name) && signs.variable.test(name))
    .map(([name]) => name);
  const [usualPackage = ''] = launchers?.packages ?? [];
  const carried = [...(launchers?.variablesByFlag(usualLauncher, usualPackage) ?? [])]
    .filter(([flag]) => wanted.has(flag))
    .map(([, { name }]) => name);
  return [...environment, ...carried];
}
