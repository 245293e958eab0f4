/** Whether a word stands where a command stands: many programs of other clients have names that prose has too. */
import { lineStart } from './blocks.js';

/** The beginning of a command in a line, before an optional path. */
const beginning =
  /(?:^|[;&|(`{]|\b(?:exec|sudo|nohup|then|do|else|setsid|npx|CMD|ENTRYPOINT)\b|\b[A-Z_]{2,40}=)[\s"'`[]*(?:[\w./~$-]*\/)?$/;
/** The key of a command, before its value. */
const key =
  /(?:^|[\s{,"'_-])(?:Exec\w{0,20}|command|cmd|entrypoint|program|args|run|script|exec\w{0,20})["']?\s*[:=]\s*[|>]?[\s"'[]*(?:[\w./~$-]*\/)?$/i;
const item = /^\s*-\s*["']?(?:[\w./~$-]*\/)?$/;
/** An element on a line of its own, as in JSON; and what precedes the list that it is in. */
const element = /^\s*["'](?:[\w./~$-]*\/)?$/;
const list = /((?:^|[\s{,])["']?[\w.-]+["']?\s*[:=]\s*|\(\s*)\[[^\][]*$/;
const container = /\b(?:docker|podman|nerdctl)\b.*\b(?:run|create|exec)\b/;

/** Whether a command begins at this place, or is the value of a key for commands. */
export function isCommandPlace(text: string, at: number): boolean {
  const line = text.slice(Math.max(lineStart(text, at), at - 400), at);
  if (item.test(line)) return key.test(`${text.slice(0, lineStart(text, at)).slice(-200).trimEnd()} `);
  if (element.test(line)) {
    const before = list.exec(text.slice(Math.max(0, at - 2_000), lineStart(text, at)))?.[1] ?? null;
    return before === null || before.startsWith('(') || key.test(before);
  }
  return beginning.test(line) || key.test(line) || container.test(line);
}

/** A flag whose value is a program, or a name that says which node a container holds. */
const namesProgram = /entrypoint|daemon|exec|startas|command|cmd|program|bin|image|name$|^(?:a|x|c)$/i;

/** What names a thing: `find -name geth`, `--user besu`, an option of a mount, `RPC_VARIANT=besu`. */
const namesThing = /(?:\s(?:-name|-u|--user)\s+|_(?:VARIANT|TYPE)=)["']?$|[\s,'"](?:src|dst)=[^\s,]*$/;

/** Whether the word is no program: the value of a flag such as `--datadir=/data/geth` and `--l2.enginekind=geth`, or a name. */
export function isFlagValue(text: string, at: number): boolean {
  const line = text.slice(Math.max(lineStart(text, at), at - 400), at);
  const [, flag] = /(?:^|[\s"'`])--?([A-Za-z][\w.-]*)=["']?(?:[^\s"'`=,]*\/)?$/.exec(line) ?? [];
  return namesThing.test(line) || (flag !== undefined && !namesProgram.test(flag));
}

/** A command whose program is a variable, or arguments that are handed on. */
const runsVariable =
  /(?:(?<!\\\r?\n)^|[;&|({`]|\b(?:exec|nohup|sudo|eval|then|do|else)\b)[ \t]*["']?\$[\w{]|\$\{?[@*]/m;

/** Whether the word is an argument of a function that the same script defines, and the script runs no argument. */
export function isArgument(text: string, at: number): boolean {
  const line = text.slice(lineStart(text, at), at);
  const [, name] = /^[ \t]*([A-Za-z_][\w-]*)[ \t]+[^;&|]*$/.exec(line) ?? [];
  if (name === undefined || runsVariable.test(text)) return false;
  return new RegExp(`^[ \\t]*(?:function[ \\t]+${name}\\b|${name}[ \\t]*\\(\\))`, 'm').test(text);
}
