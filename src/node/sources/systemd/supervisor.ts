/** Reads the programs of a supervisor: `[program:NAME]` with command, directory and environment, over that of all programs. */
import { variableOf } from '../environment/environment.js';
import type { Files } from '../launch/files.js';
import type { Context, Launches, LaunchVariable } from '../launch/launch.js';
import { launchesOnMachine } from '../script/script.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, splitWords } from '../text/words.js';
import { options } from './directives.js';

export const isSupervisor = /^\[(?:program:|supervisord\])/m;

/** Each program is a separate command. */
export function readSupervisor(file: LineIndex, context: Context): Launches {
  const files = context.files.scope();
  const shared = sharedIn(file) ?? sharedWith(file, files);
  const names = [...file.text.matchAll(/^\[program:([^\]\n]+)\]/gm)].map(([, name = '']) => name);
  const launches = names.flatMap((name) => {
    const values = new Map(
      options(file, `program:${name}`).map((line) => [line.name, maskExpansions(line.value)]),
    );
    const command = values.get('command');
    if (command === undefined) return [];
    const own = {
      name: names.length === 1 ? null : name,
      words: splitWords(command),
      environment: new Map([
        ...environmentOf(shared && maskExpansions(shared)),
        ...environmentOf(values.get('environment')),
      ]),
      folder: values.get('directory')?.text.trim() ?? '/',
    };
    return launchesOnMachine(file, context, own, files.scope());
  });
  return { launches, problems: [], notes: [] };
}

function sharedIn(file: LineIndex): Placed | undefined {
  return options(file, 'supervisord').find(({ name }) => name === 'environment')?.value;
}

/** The environment in the file that includes this one. */
function sharedWith(file: LineIndex, files: Files): Placed | undefined {
  const main = files
    .named(/supervisord?\.conf$/)
    .find((one) => one.file !== file.file && options(one, 'include').some(({ name }) => name === 'files'));
  const shared = main && sharedIn(main);
  if (main !== undefined && shared !== undefined) files.use(main, 'included');
  return shared;
}

/** %(ENV_HOME)s is of the machine. */
function maskExpansions(value: Placed): Placed {
  return value.replace(/%\(\w+\)[a-z]|%%/g, ([all], at) => at.as(all === '%%' ? '%' : unfilled));
}

/** KEY="value",KEY=value */
function environmentOf(value: Placed | undefined): ReadonlyMap<string, LaunchVariable> {
  const words = value === undefined ? [] : splitWords(value.replace(/,(?=\s*\w+=)/g, (_, at) => at.as(' ')));
  const pairs = words
    .map(pairOf)
    .flatMap(([name, text]) => (text === null ? [] : [[name, variableOf(text)] as const]));
  return new Map(pairs);
}
