/** Programs that run a command in an environment of their own making: from a secret manager, a file or a folder. */
import { otherVariables } from '../../facts/settings.js';
import { Placed } from '../text/placed.js';

/** A variable set for one command alone, or with `otherVariables` as its name, all those that a program may set. */
export interface Given {
  readonly name: string;
  /** With `otherVariables`: the command that may set them. */
  readonly value: Placed;
  /** The path of a file with the variables, if there is one. */
  readonly file?: Placed;
  /** The variable, or all of them, is taken away. */
  readonly isGone?: true;
}

interface Runner {
  /** The word before the command, if there is one. */
  readonly verb?: RegExp;
  /** The number of its arguments before the command. */
  readonly own?: number;
  /** The option that names a file of variables, and the file without it; absent: the variables are not in a file. */
  readonly file?: readonly [RegExp, string];
}

const dotenv = [/^(?:-[ef]|--(?:env-)?file)$/, '.env'] as const;

const runners: Readonly<Record<string, Runner>> = {
  doppler: { verb: /^run$/ },
  infisical: { verb: /^run$/ },
  op: { verb: /^run$/ },
  bws: { verb: /^run$/ },
  teller: { verb: /^run$/ },
  secrethub: { verb: /^run$/ },
  chamber: { verb: /^exec$/, own: 1 },
  sops: { verb: /^exec-env$/, own: 1 },
  'aws-vault': { verb: /^exec$/, own: 1 },
  berglas: { verb: /^exec$/ },
  vals: { verb: /^exec$/ },
  direnv: { verb: /^exec$/, own: 1 },
  envdir: { own: 1 },
  's6-envdir': { own: 1 },
  'with-contenv': {},
  envchain: { own: 1 },
  envconsul: {},
  summon: {},
  'vault-env': {},
  dotenv: { verb: /^run$/, file: dotenv },
  dotenvx: { verb: /^run$/, file: dotenv },
  'env-cmd': { file: dotenv },
  godotenv: { file: dotenv },
};

/** Options with a value of their own, where the program takes several. */
const valued = /^(?:-[a-z]|--(?:env-file|file|config|project|path|environment|env|prefix|profile|token))$/;

/** The command that a runner runs, and the variables it sets; null: another program, or no command. */
export function environmentRun(name: string, words: readonly Placed[]) {
  const [program] = words;
  if (program === undefined || !Object.hasOwn(runners, name)) return null;
  const runner = runners[name] as Runner;
  const at = commandAt(words, runner);
  const command = words[at];
  if (command === undefined) return null;
  const [, text] = /^--command=(.*)$/s.exec(command.text) ?? [];
  const own = words.slice(0, at);
  const set = { name: otherVariables, value: Placed.join(own, ' ') };
  const given = runner.file === undefined ? set : { ...set, file: fileIn(own, runner.file) };
  const rest = text === undefined ? words.slice(at) : [command.slice(command.text.length - text.length)];
  return { words: rest, given };
}

/** The place of the command: after `--`, else after the options, the verb and the arguments. */
function commandAt(words: readonly Placed[], { verb, own = 0 }: Runner): number {
  const end = words.findIndex(({ text }) => text === '--');
  if (end > 0) return end + 1;
  const script = words.findIndex(({ text }) => /^--command(?:=|$)/.test(text));
  if (script > 0) return words[script]?.text === '--command' ? script + 1 : script;
  let left = own;
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as Placed;
    if (text.startsWith('-')) at += valued.test(text) ? 1 : 0;
    else if (verb?.test(text) === true) continue;
    else if (left === 0) return at;
    else left -= 1;
  }
  return -1;
}

function fileIn(words: readonly Placed[], [option, usual]: NonNullable<Runner['file']>): Placed {
  const [program = words[0] as Placed] = words;
  const at = words.findIndex(({ text }) => option.test(text.split('=')[0] ?? ''));
  const [given, next] = at < 0 ? [] : words.slice(at);
  if (given === undefined) return program.as(usual);
  return given.text.includes('=') ? given.slice(given.text.indexOf('=') + 1) : (next ?? program.as(usual));
}
