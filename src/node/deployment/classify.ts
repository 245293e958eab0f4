/**
 * Recognises the kind of a source by its text. Each kind is a row here and a folder in `sources/`. A file of no kind
 * is never judged: a report without findings would look like a pass.
 */
import type { SourceKind } from '../facts/settings.js';
import { readerOfConf, selectScripted } from '../kinds/find.js';
import type { Kind, ScriptedKind } from '../kinds/kind.js';
import { isKustomization, templatesFolder } from '../sources/kubernetes/names.js';
import { isShellScript } from '../sources/script/names.js';
import { isJob } from '../sources/script/nomad.js';
import { withoutEscapes } from '../sources/systemd/unit-words.js';
import { otherKind, setsFlag, shellShare, signsOf, sourcesMore } from './conf-signs.js';
import { familyOf, isForeignFormat } from './ledger/family.js';

/** The kind of a text, or why it is not a source of settings, as a clause: `it is YAML`. */
export type Recognised =
  | { readonly kind: 'conf'; readonly node: ScriptedKind; readonly certain: boolean }
  /** `nodes`: the kinds of node it may start. */
  | {
      readonly kind: LaunchedKind;
      readonly nodes: readonly Kind[];
      readonly certain: boolean;
    }
  | { readonly kind: null; readonly why: string };

type LaunchedKind = Exclude<SourceKind, 'conf' | 'process'>;

/** A hint that says which files are recognised. */
export function recognisable(kinds: readonly Kind[]): string {
  const launchers = selectScripted(kinds);
  const names = launchers.map(({ usualLauncher }) => `${usualLauncher}.conf`).join(' or ');
  const variables = launchers.flatMap((kind) => kind.launchers.ownExamples).join(' or ');
  const programs = new Set(kinds.flatMap((kind) => [kind.programOf(kind.usualLauncher), ...kind.programs]));
  const starts = `by a node that it starts: ${[...programs].join(', ')}`;
  if (launchers.length === 0) return `A file is recognised ${starts}.`;
  return (
    `A conf is recognised by its name, such as ${names}, or by a variable that no other program has, such as ` +
    `${variables}; with --launcher a file of any name is read as one. ` +
    `Any other file is recognised ${starts} or their launchers.`
  );
}

/** Whether a launcher looks for the name. */
export function isConfName(kinds: readonly Kind[], path: string): boolean {
  return readerOfConf(kinds, path) !== null;
}

/** The part of a file that is read to recognise it, and as a part of a start, in bytes. */
export const headBytes = 8 << 20;

/**
 * Recognises a text, or the beginning of one. `certain` is false where few lines look like a conf, or no program of a node
 * is named. `asked`: the user says that the text is a conf.
 */
export function recognise(kinds: readonly Kind[], path: string, all: string, asked = false): Recognised {
  const text = withPlainKeys(all.slice(all.startsWith('\uFEFF') ? 1 : 0, headBytes));
  if (/^[\s\uFEFF\0]*$/.test(text)) return { kind: null, why: 'it is empty' };
  if (familyOf(path) === 'code') return { kind: null, why: 'it is the source of a program' };
  const isToml = /\.toml$/i.test(path);
  const ofToml = kinds.filter((node) => isToml && isNodeToml(text, node));
  if (ofToml.length > 0) return { kind: 'toml', nodes: ofToml, certain: true };
  if (isJob(path, text))
    return { kind: 'command line', nodes: kinds, certain: kinds.some(({ signs }) => isNamed(signs, text)) };
  if (isForeignFormat(path)) return { kind: null, why: 'its format is that of another program' };
  const reader = readerOfConf(kinds, path);
  if (isKustomization(path)) return { kind: 'kubernetes', nodes: kinds, certain: true };
  const launched = reader === null ? launchedKind(kinds, path, text) : null;
  if (launched !== null) {
    const isPart =
      isChartTemplate(path, text) ||
      (namesOthers[launched.kind]?.test(text) ?? false) ||
      (launched.kind === 'yaml' &&
        !holdsVariables.test(path) &&
        launched.nodes.some((one) => hasOwnKey(text, one)));
    const named = launched.kind === 'systemd' ? withoutEscapes(text) : text;
    return { ...launched, certain: isPart || launched.nodes.some(({ signs }) => isNamed(signs, named)) };
  }
  const other = otherKind(text, reader !== null);
  if (other !== null) return { kind: null, why: other };
  const found = (reader === null ? selectScripted(kinds) : [reader.kind]).map((node) =>
    asConf(node, path, text, asked),
  );
  return found.find(({ kind }) => kind !== null) ?? found[0] ?? { kind: null, why: 'no node reads a conf' };
}

/** YAML may write `key: value` as `? key` and `: value` on two lines. */
function withPlainKeys(text: string): string {
  return text.includes('? ') ? text.replaceAll(questionedKey, '$1$2:') : text;
}

const questionedKey = /^([ \t]*(?:[-:][ \t]+)*)\?[ \t]+(["']?[\w.-]+["']?)[ \t]*(?:#.*)?\r?\n[ \t]*:(?=\s)/gm;

/** Files whose node another file names. */
const namesOthers: Readonly<Partial<Record<SourceKind, RegExp>>> = {
  script: /^[^#\n]{0,200}\b(?:docker|podman|nerdctl)[ \t](?:buildx[ \t]|image[ \t])?build[ \t]/m,
  compose: /(?:^[ \t-]*|[{,][ \t]*)["']?(?:build|dockerfile|env_file|extends|include)["']?[ \t]*:/m,
  ansible:
    /^[ \t-]*(?:roles|[\w.]*(?:template|copy|(?:docker|podman)_container|(?:include|import)_(?:tasks|role)))[ \t]*:/m,
};

/** Whether a text names a node of this kind, or has a flag that few other programs have. */
function isNamed({ name, flag, otherProgram }: Kind['signs'], text: string): boolean {
  return name.test(text) || (flag.test(text) && !otherProgram.test(text));
}

/** Whether the text is a template of pods: the values of its chart may name the node that it starts. */
function isChartTemplate(path: string, text: string): boolean {
  return templatesFolder(path) !== null && text.includes('{{') && /\bcontainers:/.test(text);
}

function asConf(node: ScriptedKind, path: string, text: string, asked: boolean): Recognised {
  const { launchers } = node;
  const named = launchers.ofConf(path) !== null;
  const { some, own } = signsOf(node, text);
  if (!some && !(named && sourcesMore.test(text)))
    return { kind: null, why: 'no launcher reads any of its variables' };
  if (!own && !asked && launchers.inName(path) === null)
    return { kind: null, why: 'other programs use all of its variables: add --launcher or --stdin-filename' };
  const shell = named ? 1 : shellShare(text);
  if (shell < 0.2) return { kind: null, why: 'most of its lines are not shell' };
  return { kind: 'conf', node, certain: asked || shell > 0.5 };
}

/** The first kind of file whose mark the text has, and the kinds of node that have this mark. */
function launchedKind(kinds: readonly Kind[], path: string, text: string) {
  for (const [kind, isMarked] of marks) {
    const nodes = kinds.filter((node) => isMarked(text, node, path));
    // A script without a shebang may contain a manifest.
    const isScript = isShellScript(path, text) && kind !== 'environment';
    if (nodes.length > 0) return { kind: isScript ? ('script' as const) : kind, nodes };
  }
  if (isRecipe.test(path)) return { kind: 'command line' as const, nodes: kinds };
  const named = isShellScript(path, text)
    ? kinds.filter(({ programs, launchers }) =>
        [...programs, ...(launchers?.names ?? [])].some((name) => runsProgram(name, text)),
      )
    : [];
  return named.length > 0 ? { kind: 'script' as const, nodes: named } : null;
}

/** Whether the name is at the place of a command or behind a path, or names a conf. */
function runsProgram(name: string, text: string): boolean {
  return new RegExp(`(?<![\\w.@-])${name}(?=["']?\\s+\\S)|/${name}\\.conf\\b`).test(text);
}

const isRecipe = /(?:^|[\\/])(?:(?:GNU)?[Mm]akefile|[Jj]ustfile)$|\.mk$/;

/** A YAML list, after comments. */
const startsWithItem = /^(?:[ \t]*(?:#.*|---.*)?\r?\n)*[ \t]*- /;
const taskOrPlay =
  /^[ \t]*(?:- )?["']?(?:[a-z_]+\.[a-z_]+\.)?(?:template|copy|shell|command|raw|script|lineinfile|blockinfile|replace|service|systemd|systemd_service|(?:docker|podman)_container|(?:include|import)_(?:tasks|role|playbook)|hosts)["']?:(?:[ \t]|$)/m;

/** A compose file by its name: of includes alone, or of version 1, with the services at the top. */
function isComposeByName(path: string, text: string): boolean {
  return (
    /(?:^|[\\/])[^\\/]*compose[^\\/]*\.ya?ml$/.test(path) &&
    /^(?:include[ \t]*:|["']?[\w.-]+["']?[ \t]*:[ \t]*(?:#.*)?\r?\n(?:[ \t].*\n|\r?\n){0,50}?[ \t]+(?:image|build|extends)[ \t]*:)/m.test(
      text,
    ) &&
    !/^["']?(?:apiVersion|services)["']?[ \t]*:/m.test(text)
  );
}

const marks: readonly (readonly [LaunchedKind, (text: string, node: Kind, path: string) => boolean])[] = [
  ['script', (text) => /^(?:\uFEFF)?#!.*\b(?:(?:ba|da|a|k|z)?sh|openrc-run)\b/.test(text)],
  ['cloud-init', (text) => /^#cloud-config\b/.test(text)],
  ['ansible', (text) => startsWithItem.test(text) && taskOrPlay.test(text)],
  // An IngressRoute has services too.
  [
    'compose',
    (text, _, path) =>
      isComposeByName(path, text) ||
      (/^[ \t{]*["']?services["']?[ \t]*:/m.test(text) && !/^["']?apiVersion["']?[ \t]*:/m.test(text)),
  ],
  [
    'kubernetes',
    (text) =>
      text.includes('kind') &&
      /^[ \t{-]*["']?(?:apiVersion|metadata)["']?[ \t]*:/m.test(text) &&
      workload.test(text),
  ],
  [
    'dockerfile',
    (text) => /^FROM[ \t]+[\w$.-]/im.test(text) && /^(?:ENTRYPOINT|CMD|RUN|COPY|ENV)[ \t]/im.test(text),
  ],
  ['yaml', isNodeYaml],
  [
    'systemd',
    (text) =>
      /^\[(?:Service|Container|supervisord|program:[^\]\n]+)\][ \t]*$/m.test(text) ||
      /^ExecStart[ \t]*=/m.test(text),
  ],
  ['command line', isCommandLine],
  ['environment', isEnvironment],
];

/** Only assignments, some of which set flags; none of a launcher's variables, and no command, as a script would have. */
function isEnvironment(text: string, node: Kind): boolean {
  let some = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value = ''] = /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(\S*)/.exec(line) ?? [];
    if (name === undefined || node.launchers?.isKnownVariable(name) === true) return false;
    some ||= setsFlag(node, name, value);
  }
  return some;
}

/** Files of variables for templates, which have the keys of flags too. */
const holdsVariables =
  /(?:^|[\\/])(?:values[\w.-]*\.ya?ml$|(?:defaults|vars|group_vars|host_vars|inventor\w+)[\\/])/;

/** Flags as keys, flat or nested at dots, at least one of which is not common. */
function isNodeYaml(text: string, node: Kind): boolean {
  const format = node.configFile?.format;
  return format === 'flags' ? hasOwnKey(text, node) : format === 'yaml' && flagKeys(text, node).length > 0;
}

/** The address or the modules of an interface, under the header of its table; or a flag that few other programs have. */
function isNodeToml(text: string, { configFile, interfaces, signs }: Kind): boolean {
  if (configFile?.format === 'flags')
    return [...text.matchAll(/^[ \t]*["']?([A-Za-z][\w.-]*)["']?[ \t]*=/gm)].some(([, key]) =>
      signs.flag.test(`--${key}`),
    );
  if (configFile?.format !== 'toml') return false;
  const { http, ws } = interfaces.flags;
  const wanted = [http.addr, http.api, ws.addr, ws.api];
  return [...configFile.keys].some(([key, flag]) => {
    const [table = '', name = ''] = key.split('.');
    const line = `^[ \\t]*\\[${table}\\](?:(?!\\n[ \\t]*\\[)[^])*?\\n[ \\t]*${name}[ \\t]*=`;
    return wanted.includes(flag) && text.includes(`[${table}]`) && new RegExp(line, 'm').test(text);
  });
}

/** Whether few programs other than the node have the key as a flag. */
function hasOwnKey(text: string, node: Kind): boolean {
  const { flag, otherProgram } = node.signs;
  return !otherProgram.test(text) && flagKeys(text, node).some((name) => flag.test(`--${name}`));
}

/** The keys that name a flag which is not common. */
function flagKeys(text: string, { flags, programOf, usualLauncher, signs }: Kind): string[] {
  const { byName } = flags.of(programOf(usualLauncher));
  const found: string[] = [];
  const path: { readonly indent: number; readonly key: string }[] = [];
  for (const [, blanks = '', key = '', value = ''] of text
    .slice(0, 65_536)
    .matchAll(/^( *)["']?([A-Za-z][\w.-]*)["']?:(?:[ \t]+(\S.*))?$/gm)) {
    while ((path.at(-1)?.indent ?? -1) >= blanks.length) path.pop();
    path.push({ indent: blanks.length, key });
    const name = path.map((one) => one.key).join('.');
    if (value !== '' && byName.has(name) && !signs.commonKeys.has(name)) found.push(name);
  }
  return found;
}

const workload = /["']?\bkind["']?[ \t]*:[ \t]*["']?[A-Z][A-Za-z]+\b/;

/** A line that runs a node's program with a flag, its launcher with `start`, or a container with its image. */
function isCommandLine(text: string, { programs, launchers, signs, consoles }: Kind): boolean {
  const own = programs.join('|');
  const commands = consoles.join('|') || '(?!)';
  const scripts = launchers?.names.join('|') ?? null;
  const hasName = [...programs, ...(launchers?.names ?? [])].some((name) => text.includes(name));
  const lines = [
    `^[ \\t]*(?:(?!#)\\S*[^\\s:][ \\t]+){0,16}(?:[\\w./-]*/)?(?:${own})[ \\t]+(?:(?:${commands})[ \\t]+)?(?:--?[A-Za-z]|attach[ \\t]|\\\\$)`,
    // A line of a crontab or a Procfile.
    `^(?:@\\w+|\\w+:)[ \\t]+(?:[\\w./-]*/)?(?:${scripts === null ? own : `${own}|${scripts}`})[ \\t]`,
    ...(scripts === null
      ? []
      : [`^[ \\t]*(?:sudo[ \\t]+)?(?:[\\w./$-]*/)?(?:${scripts})[ \\t]+(?:re)?start`]),
  ];
  return (hasName && lines.some((line) => new RegExp(line, 'm').test(text))) || runsImage(text, signs);
}

/** Whether the text has a line such as `docker run IMAGE`, also if it continues on the next lines. */
function runsImage(text: string, { image }: Kind['signs']): boolean {
  const runs =
    /^[ \t@-]*(?:sudo[ \t]+)?(?:docker|podman|nerdctl)[ \t](?:(?:\\\n|.)*[ \t])?(?:run|create)[ \t](?:\\\n|.)*/gm;
  return [...text.matchAll(runs)].some(([command]) => image.test(command));
}
