/** The words of the ledger, derived from the kinds of node: what says that an interface is started, opened or widened. */
import { once } from '../../../util/once.js';
import type { Kind, KindListeners, KindReleases, KindScripts, KindWords } from '../../kinds/kind.js';
import { others } from '../../kinds/others.js';

/** The words of one kind of node. */
export interface Words {
  readonly kind: Kind;
  /** Flags, without dashes, that switch http or ws on, say who reaches them and what they offer, or name a file of flags. */
  readonly flags: ReadonlySet<string>;
  /** Those of http and those of ws, each with the flag that unlocks accounts. */
  readonly interfaces: readonly ReadonlySet<string>[];
}

export type Vocabulary = ReturnType<typeof vocabularyOf>;

/** Each part is made when it is first asked for: most files need few of them. */
export function vocabularyOf(kinds: readonly Kind[]) {
  const programs = once(() => programsOf(kinds));
  const products = once(() => [...new Set(kinds.flatMap(productsOf))].join('|'));
  const flags = once(() => [...new Set(kinds.map(({ signs }) => signs.flag.source))].join('|'));
  const own = once(() =>
    others()
      .flatMap((one) => one.own.map((name) => name.replaceAll('.', '\\.').replace('*', '[\\w.-]*')))
      .join('|'),
  );
  const variables = once(() => [...new Set(kinds.flatMap(variablesOf))].join('|'));
  const words = once((): readonly Words[] =>
    kinds.map((kind) => ({ kind, flags: new Set(flagsOf(kind)), interfaces: interfacesOf(kind) })),
  );
  /** A program or a launcher, as a word before a blank, a quote or a comma. */
  const program = once(
    () =>
      new RegExp(
        `(?<![\\w.@:\\u0080-\\uffff-])(?:${programs()})(?:\\.exe)?(?=["'\`]?(?:[\\],\\s\\\\]|$))`,
        'g',
      ),
  );
  /** A flag, with its dashes, that few other programs than the kinds have. */
  const flag = once(() => new RegExp(`(?<![\\w-])(?:${flags()})(?![\\w-])`, 'g'));
  /** Flags of other clients that no node has, with their dashes. */
  const otherFlag = once(() => new RegExp(`(?<![\\w-])--(?:${own()})(?![\\w-])`, 'g'));
  /** A variable of the environment of a node, or of a launcher, that opens http or ws or lists modules; its value follows. */
  const variable = once(
    () =>
      new RegExp(
        `(?<![\\w$.-]|[$#{]\\{)(${variables()})["']?(?:[ \\t]*|,?\\s+"?value"?)[:=][ \\t]*([^\\n#;]*)`,
        'g',
      ),
  );
  /** A flag or an option of a library that lists modules, in the source of a program; its value follows. */
  const list = once(
    () =>
      new RegExp(
        `(?<![\\w$.-])(?:--|["'])?(${[...new Set(kinds.flatMap(listsOf))].join('|')})["']?[ \\t]*[:= \\t][ \\t]*["'\`]([^"'\`\\n]{1,400})`,
        'g',
      ),
  );
  /** Whether a text may have a sign: it is true for every text with one, and for few others. */
  const hint = once(() => {
    const generators = kinds.flatMap(({ signs }) => signs.generator?.program ?? []).join('|') || '(?!)';
    return new RegExp(
      `\\b(?:${programs()})(?:\\.exe)?["'\`]?[\\]),;@\\s\\\\]|services(?:\\.\\w+)?[ \\t]*=[ \\t]*\\{|(?<![a-z0-9])(?:${programs()}|${products()})[-_./]|${flags()}|${variables()}|image["']?[ \\t]*[:=]|^[ \\t]*FROM[ \\t]|${generators}|admin[._]start|unlockAccount|^\\[json-rpc\\]|--(?:${own()})|(?:rpc|http|ws|enabled)[._-]?(?:apis?|modules|namespaces)`,
      'im',
    );
  });
  return { words, program, flag, otherFlag, variable, list, hint };
}

function programsOf(kinds: readonly (KindScripts & KindWords)[]): string {
  const names = [
    ...kinds.flatMap(({ programs, launchers }) => [...programs, ...(launchers?.names ?? [])]),
    ...others().flatMap(({ programs }) => programs.map(patternOf)),
    ...others().flatMap(({ sharedPrograms }) => sharedPrograms.filter((one) => typeof one === 'string')),
  ];
  return [...new Set(names)].join('|');
}

/** The names of the products of a kind, by which people call its scripts. */
export function productsOf({ releases }: KindReleases): string[] {
  return [...new Set(releases.map(({ product }) => product))];
}

/** The name of a program without its anchors. */
function patternOf(program: string | RegExp): string {
  if (typeof program === 'string') return program.replaceAll('.', '\\.');
  return program.source.replace('(?:^|-)', '(?:[\\w-]*-)?').replaceAll(/[\^$]/g, '').replace('.*', '\\w*');
}

function interfacesOf({ interfaces, flags }: KindListeners & KindWords): ReadonlySet<string>[] {
  const { http, ws } = interfaces.flags;
  return [http, ws].map(
    (one) => new Set(namesOf(flags, [one.enable, one.addr, one.port, one.api, one.origins, flags.unlock])),
  );
}

/** The flags with the names that a release may know them by. */
function namesOf(flags: Kind['flags'], names: readonly (string | null | undefined)[]): string[] {
  return names.flatMap((name) => (name == null ? [] : [name, ...(flags.ofAnyRelease(name)?.aliases ?? [])]));
}

/** The flags of the interfaces that everyone may call, in any release, without dashes. */
function flagsOf({ interfaces, flags, configFile }: KindListeners & KindWords): string[] {
  const { http, ws, pprof, metrics } = interfaces.flags;
  const names = [http, ws].flatMap((one) => [one.enable, one.addr, one.api, one.origins]);
  const own = [...names, http.vhosts, pprof.addr, metrics.addr, flags.unlock, configFile?.flag];
  return [...new Set(namesOf(flags, own))];
}

/** The flags that list modules. */
function listsOf({ interfaces: { flags: own }, flags }: KindListeners & KindWords): string[] {
  return namesOf(flags, [own.http.api, own.ws.api]).map((name) => name.replaceAll('.', '\\.'));
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
