/** Decides whether a word is a command by its place: the names of many clients are also words of prose. */
import { lineStart } from './blocks.js';

/** The beginning of a command in a line, before an optional path. */
const beginning =
  /(?:^|[;&|(`{]|\b(?:exec|sudo|nohup|then|do|else|setsid|npx|CMD|ENTRYPOINT)\b)[\s"'`[]*(?:[\w./~$-]*\/)?$/;
/** The key of a command, before its value. */
const key =
  /(?:^|[\s{,"'_-])(?:command|cmd|entrypoint|program|args|run|script|exec(?!ution)\w{0,20})["']?\s*[:=]\s*[|>]?[\s"'[]*(?:[\w./~$-]*\/)?$/i;
const item = /^\s*-\s*["']?(?:[\w./~$-]*\/)?$/;
/** An element of a list on its own line, as in JSON, and the text before that list. */
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
  const [, assigned] = /\b([A-Z_]{2,40})=[\s"'`[]*(?:[\w./~$-]*\/)?$/.exec(line) ?? [];
  return assigned === undefined
    ? beginning.test(line) || key.test(line) || container.test(line)
    : mayRun(text, assigned);
}

/** Whether a variable is the program of a command; no use of it in the same text shows another purpose. */
function mayRun(text: string, name: string): boolean {
  const use = `["']?\\$[{(]?${name}\\b`;
  const command = `(?:^|[;&|({\`:]|\\b(?:exec|nohup|sudo|eval|then|do|else)\\b|Exec\\w*=)[ \\t@-]*${use}[})]?["']?(?!\\S)`;
  return !new RegExp(use).test(text) || new RegExp(command, 'm').test(text);
}

/** A flag whose value is a program, or the name of a container. */
const namesProgram = /entrypoint|daemon|exec|startas|command|cmd|program|bin|image|name$|^(?:a|x|c)$/i;

/** Words before a name of a file, user, container, mount or variant: `find -name geth`, `--filter name=besu`, `RPC_VARIANT=besu`. */
const namesThing =
  /["'\s](?:--filter|-f)["',\s=]+\w+=[^\s"']*$|(?:\s(?:-name|-u|--user)\s+|_(?:VARIANT|TYPE)=)["']?$|[\s,'"](?:src|dst)=[^\s,]*$/;

/** Commands that look at what their words name, end it or move it: `docker logs geth`, `which geth`, `cp geth /usr/bin`. */
const handlesThing =
  /(?:^|[;&|(`{!]|\b(?:sudo|if|then|do|else)\b)\s*(?:(?:docker|podman|nerdctl)(?:[ -]compose)?(?:\s+-\S+(?:\s+[^\s-]\S*)?|\s+(?:container|image|service|network))*\s+(?:attach|cp|diff|inspect|kill|logs|pause|port|ps|pull|push|rename|rm|stats|stop|tag|top|unpause|update|wait)|kubectl(?:\s+-\S+(?:\s+[^\s-]\S*)?)*\s+(?:annotate|cp|delete|describe|get|label|logs|rollout|scale|top|wait)|systemctl(?:\s+-\S+)*\s+(?:disable|is-\w+|kill|mask|show|status|stop)|(?:apt(?:-get)?|yum|dnf|apk|brew|snap)\s+\S+|which|type|command\s+-v|cp|mv|rm|ls|ln|install|ch(?:own|mod|grp))\s(?:[^;&|\n]*[\s/])?["']?$/;

/** Whether the word is a name, or the value of a flag as in `--datadir=/data/geth`, and not a program. */
export function isFlagValue(text: string, at: number): boolean {
  const line = text.slice(Math.max(lineStart(text, at), at - 400), at);
  if (handlesThing.test(line)) return true;
  const [, flag] = /(?:^|[\s"'`])--?([A-Za-z][\w.-]*)=["']?(?:[^\s"'`=,]*\/)?$/.exec(line) ?? [];
  return namesThing.test(line) || (flag !== undefined && !namesProgram.test(flag));
}

/** A command whose program is a variable, or all arguments of a script or function, "$@". */
const runsVariable =
  /(?:(?<!\\\r?\n)^|[;&|({`]|\b(?:exec|nohup|sudo|eval|then|do|else)\b)[ \t]*["']?\$[\w{]|\$\{?[@*]/m;

/** Whether the word is an argument of a function in the same script, and the script executes no variable. */
export function isArgument(text: string, at: number): boolean {
  const line = text.slice(lineStart(text, at), at);
  const [, name] = /^[ \t]*([A-Za-z_][\w-]*)[ \t]+[^;&|]*$/.exec(line) ?? [];
  if (name === undefined || runsVariable.test(text)) return false;
  return new RegExp(`^[ \\t]*(?:function[ \\t]+${name}\\b|${name}[ \\t]*\\(\\))`, 'm').test(text);
}
