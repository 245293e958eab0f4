/** Scripts that a file starts and whose name says which node or client they start. */
import { escapeForRegExp } from '../../../util/escape-for-reg-exp.js';
import type { Kind } from '../../kinds/kind.js';
import type { OtherClient } from '../../kinds/others.js';
import { blockAt, valueAt } from './blocks.js';
import { isOther, startOf } from './names.js';
import { startSign } from './search/other-start.js';
import { inComment, type Sign, signAt } from './search/sign.js';
import type { Vocabulary } from './vocabulary.js';

/** A script where a start is written. */
export interface Script {
  readonly start: number;
  /** The place of what precedes its command, such as `ExecStart=`. */
  readonly key: number;
  /** Its path as written. */
  readonly path: string;
  /** The end of the path that tells it from other scripts: `run-reth.sh`, `geth/start.sh`. */
  readonly tail: string;
  readonly starts: Kind | OtherClient;
}

/** What precedes the command of a start, in any file; `args` continue the command of a container. */
const starts =
  /^[ \t]*ExecStart[ \t]*=[ \t]*[-@:+!|]*|(?<![\w.-])["']?(?:entrypoint|command|args)["']?[ \t]*[:=]|^[ \t]*(?:ENTRYPOINT|CMD|exec|nohup|setsid)[ \t]|@reboot[ \t]/gm;
/** Precedes the command of a probe or of a hook. */
const probe = /\bexec["']?:[\s{"']*$/;
/** The files of pm2, which may be programs. */
export const processes = /(?:^|[\\/])(?:ecosystem|pm2|processes)[\w.-]*$/;
/** The same in files of one name. */
const startsByName: readonly (readonly [path: RegExp, start: RegExp])[] = [
  [/(?:^|[\\/])Procfile[\w.-]*$/, /^[\w-]+:[ \t]/gm],
  [processes, /\bscript["']?[ \t]*:[ \t]*/g],
];
/** Files whose commands build and test, and start nothing that stays. */
const tasks = /(?:^|[\\/])\.(?:github|circleci|gitlab|buildkite|drone|travis|vscode|devcontainer)\b/;

const runner =
  /^(?:.*\/)?(?:(?:ba|da|a|k|z)?sh|env|exec|sudo|nohup|setsid|nice|time|tini|dumb-init|gosu|su-exec|su|runuser|setpriv|chpst|stdbuf|python[\d.]*|node|bun|perl|then|do|else)$/;
const takesUser = /^(?:.*\/)?(?:gosu|su-exec|su)$|^(?:-u|--user)$/;

const launches = /^(?:re)?(?:start|run|launch|boot)(?:up|er)?$|^entrypoint$/;
/** Words of a script's name that say nothing of what it starts. */
const generic =
  /^(?:docker|container|node|nodes|main|mainnet|testnet|devnet|local|full|archive|validator|service|all|sh|bash|\d*)$/;
/** The scripts of a text in the order of their places; one of a name that tells no node is none. */
export function scriptsIn(kinds: readonly Kind[], path: string, text: string): Script[] {
  if (tasks.test(path)) return [];
  const own = startsByName.filter(([name]) => name.test(path)).map(([, start]) => start);
  return [starts, ...own].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: before, index }) => {
      if (probe.test(text.slice(Math.max(0, index - 60), index))) return [];
      const from = index + before.length;
      return commandsIn(valueAt(text, from)).flatMap(({ word, at }) => {
        const named = readScriptName(kinds, word);
        return named === null ? [] : [{ ...named, start: from + at, key: index, path: word }];
      });
    }),
  );
}

/** The start of a script by whose name it starts a node. */
export function scriptSigns({ words }: Vocabulary, path: string, text: string): Sign[] {
  const kinds = words().map(({ kind }) => kind);
  return scriptsIn(kinds, path, text).flatMap(({ start, key, path: word, tail, starts }): Sign[] => {
    if (inComment(text, start)) return [];
    const block = blockAt(text, key);
    const isStage = /^[ \t]*(?:ENTRYPOINT|CMD)\b/.test(text.slice(key, key + 100));
    const within = isStage ? { start: 0, end: text.length } : block;
    const sign = { ...signAt('script', start, word, { within, words: [null] }), tail };
    return startSign(text, sign, starts, block);
  });
}

/** The program of each command in a value, behind the programs that run it. */
function commandsIn(value: string): { readonly word: string; readonly at: number }[] {
  const hidden = value
    .replaceAll(/\{\{[^}\n]*\}\}/g, (one) => '$'.padEnd(one.length, '_'))
    .replaceAll(/(?<!\S)#[^\n]*/g, (one) => ' '.repeat(one.length));
  // Items and elements of a list are words of one command.
  const joined = hidden.replaceAll(/\\\r?\n|\r?\n[ \t]*(?=- |["'\]])/g, (end) => ' '.repeat(end.length));
  return [...joined.matchAll(/[^;|&\n]+/g)].flatMap(({ 0: command, index }) => {
    let [isRun, isUser] = [false, false];
    for (const { 0: word, index: at } of command.matchAll(/[^\s"'`,[\]()]+/g)) {
      if (/^-$|^[>|]/.test(word)) continue;
      if (word.startsWith('-') && !isRun) return [];
      isUser ||= takesUser.test(word);
      if (runner.test(word)) isRun = true;
      else if (word.startsWith('-') || /^\w+=/.test(word)) continue;
      else if (isUser) isUser = false;
      else return [{ word, at: index + at }];
    }
    return [];
  });
}

/** What a script starts by its own name, or by that of its folder where its own name tells nothing. */
function readScriptName(kinds: readonly Kind[], path: string): Pick<Script, 'tail' | 'starts'> | null {
  const folders = path.split(/[\\/]/);
  const base = folders.pop() ?? '';
  const [, stem = '', ending] = /^(.*?)(?:\.(sh|bash|zsh|py|[cm]?js|ts|pl|rb))?$/.exec(base) ?? [];
  const parts = stem.toLowerCase().split(/[-_.]/);
  const isLaunch = parts.some((part) => launches.test(part));
  const isShell = /^(?:ba|z)?sh$/.test(ending ?? '') || (ending === undefined && folders.length > 0);
  if ((!isShell && !isLaunch) || (ending === undefined && /\.[a-z]\w*$/i.test(stem))) return null;
  if (isOther(stem) || stem.startsWith('systemd-')) return null;
  const named = startOf(kinds, stem);
  if (named !== null) return named.whole === base ? null : { tail: base, starts: named.starts };
  if (!isLaunch || !isShell || !parts.every((part) => launches.test(part) || generic.test(part))) return null;
  for (let at = folders.length - 1; at >= 0; at -= 1) {
    const folder = startOf(kinds, folders[at] ?? '');
    if (folder !== null) return { tail: [...folders.slice(at), base].join('/'), starts: folder.starts };
  }
  return null;
}

/** Whether the text holds or writes the script: a key of a ConfigMap, a redirection, a task, a file of cloud-init. */
export function writesScript(text: string, tail: string): boolean {
  const written = tail.slice(tail.lastIndexOf('/') + 1);
  if (!text.includes(written)) return false;
  const name = escapeForRegExp(written);
  return new RegExp(
    `^[ \\t]*["']?${name}["']?:[ \\t]*[|>"]|>[ \\t]*["']?(?:[^\\s"']{0,400}/)?${name}\\b|\\btee[ \\t][^\\n]{0,400}/?${name}\\b|<<[^\\n]{0,400}${name}\\b|\\b(?:path|dest)["']?[ \\t]*[:=][ \\t]*["']?[^\\s"']{0,400}/${name}\\b`,
    'm',
  ).test(text);
}
