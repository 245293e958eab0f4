/**
 * What kind of source of settings a text is, by what it says. Each kind of source is a row here and a folder beside
 * this file; what is none of them is never judged, since nothing found in it would look like nothing wrong.
 */
import type { SourceKind } from '../facts/settings.js';
import { flagsOf } from '../kinds/kaia/flags.js';
import { binaryOf, launchers, usualLauncher } from '../kinds/kaia/names.js';
import { isKnownVariable } from '../kinds/kaia/variables.js';
import { launcherInName } from './conf/infer.js';
import { otherKind, setsFlag, shellShare, signsOf, sourcesMore } from './conf-signs.js';

/** A kind, or why it is not one, as a clause: `it is YAML`. */
export type Recognised =
  | { readonly kind: Exclude<SourceKind, 'process'>; readonly certain: boolean }
  | { readonly kind: null; readonly why: string };

/** For people whose file was refused. */
export const recognisable =
  'A conf is recognised by its name, such as kend.conf, or by a variable that no other program has, such as ADDITIONAL ' +
  'or SC_SUB_BRIDGE; with --launcher a file of any name is read as one. ' +
  'Any other file is recognised by a node that it starts: ken, kcn, kpn, kscn, kspn, ksen, kbn or their launchers.';

const confName = new RegExp(`(?:^|[/\\\\])(?:${launchers.join('|')})(?:_kairos)?\\.conf$`);

/** True for the name a launcher looks for. */
export function isConfName(path: string): boolean {
  return confName.test(path);
}

/** What a file is shows in its beginning. */
const maxLooked = 4 << 20;

/**
 * Recognises a text, or the beginning of one. `certain` is false where much of it is no conf's, or it names no node's
 * program. `asked`: the user says that it is a conf.
 */
export function recognise(path: string, all: string, asked = false): Recognised {
  const text = all.slice(all.startsWith('\uFEFF') ? 1 : 0, maxLooked);
  if (/^[\s\uFEFF\0]*$/.test(text)) return { kind: null, why: 'it is empty' };
  const named = isConfName(path);
  const launched = named ? null : launchedKind(path, text);
  if (launched !== null) return { kind: launched, certain: startsNode.test(text) };
  const other = otherKind(text, named);
  if (other !== null) return { kind: null, why: other };
  const { some, own } = signsOf(text);
  if (!some && !(named && sourcesMore.test(text)))
    return { kind: null, why: 'not one variable in it is read by a launcher' };
  if (!own && !asked && launcherInName(path) === null)
    return { kind: null, why: 'other programs have each of its variables too' };
  const shell = named ? 1 : shellShare(text);
  if (shell < 0.2) return { kind: null, why: 'most of its lines are no shell’s' };
  return { kind: 'conf', certain: asked || shell > 0.5 };
}

const programs = [...launchers, ...launchers.map(binaryOf)].join('|');
/** A node's program as a word of its own, or an image of Kaia. */
const startsNode = new RegExp(`(?:^|[^\\w.@-])(?:${programs})(?![\\w@])|klaytn|kaia`, 'mi');

type LaunchedKind = Exclude<SourceKind, 'conf' | 'process'>;

/** Each kind's mark. */
const kinds: readonly (readonly [LaunchedKind, (path: string, text: string) => boolean])[] = [
  ['compose', (_, text) => /^[ \t]*["']?services["']?[ \t]*:/m.test(text)],
  [
    'kubernetes',
    (_, text) => /^[ \t-]*["']?(?:apiVersion|metadata)["']?[ \t]*:/m.test(text) && workload.test(text),
  ],
  ['script', (_, text) => /^(?:\uFEFF)?#!.*\b(?:ba|da|a|k|z)?sh\b/.test(text)],
  [
    'dockerfile',
    (_, text) => /^FROM[ \t]+[\w$.-]/im.test(text) && /^(?:ENTRYPOINT|CMD|RUN|COPY|ENV)[ \t]/im.test(text),
  ],
  ['yaml', (_, text) => isNodeYaml(text)],
  ['systemd', (_, text) => /^\[Service\][ \t]*$/m.test(text) || /^ExecStart[ \t]*=/m.test(text)],
  ['command line', (_, text) => commandLine.test(text)],
  ['environment', (_, text) => environmentOnly(text)],
];

/** Nothing but assignments, of the node's own variables and none that a launcher reads: no script, which would export. */
function environmentOnly(text: string): boolean {
  let some = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value = ''] = /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(\S*)/.exec(line) ?? [];
    if (name === undefined || isKnownVariable(name)) return false;
    some ||= setsFlag(name, value);
  }
  return some;
}

/** Names that other programs' YAML uses as well. */
const common =
  /^(?:rpc|ws|grpc|pprof|metrics|prometheus|password|unlock|port|verbosity|network|identity|config|conf|db|log|cache|gcmode|syncmode|bootnodes|mainnet|kairos|networkid|datadir|nodekey|vmodule|debug)$/;

/** Keys of flags, flat or nested at dots, and at least one that no other program has. */
function isNodeYaml(text: string): boolean {
  const { byName } = flagsOf(usualLauncher);
  const path: { readonly indent: number; readonly key: string }[] = [];
  for (const [, blanks = '', key = '', value = ''] of text
    .slice(0, 65_536)
    .matchAll(/^( *)["']?([A-Za-z][\w.-]*)["']?:(?:[ \t]+(\S.*))?$/gm)) {
    while ((path.at(-1)?.indent ?? -1) >= blanks.length) path.pop();
    path.push({ indent: blanks.length, key });
    const name = path.map((one) => one.key).join('.');
    if (value !== '' && byName.has(name) && !common.test(name)) return true;
  }
  return false;
}

const workload = /["']?\bkind["']?[ \t]*:[ \t]*["']?[A-Z][A-Za-z]+\b/;

/** A line that runs a node's binary with a flag. */
const commandLine = new RegExp(
  `^[ \\t]*(?:[\\w./=-]+[ \\t]+){0,16}(?:[\\w./-]*/)?(?:${launchers.map(binaryOf).join('|')})[ \\t]+(?:--?[A-Za-z]|\\\\$)`,
  'm',
);

function launchedKind(path: string, text: string): LaunchedKind | null {
  return kinds.find(([, is]) => is(path, text))?.[0] ?? null;
}
