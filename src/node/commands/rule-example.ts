/** The example of a rule: its text, and the facts that are judged. */
import type { Facts } from '../facts/facts.js';
import { seen } from '../facts/seen.js';
import type { CommandLine, Example } from '../judge/rule/rule.js';
import { starterOfProgram } from '../kinds/find.js';
import { kinds } from '../kinds/index.js';
import { readConfFile } from '../read-conf.js';
import { loneLaunch } from '../sources/launch/launch.js';
import { confOfLaunch } from '../sources/launch/settings.js';
import type { Editables } from '../sources/text/editable.js';
import { LineIndex } from '../sources/text/line-index.js';
import { Placed } from '../sources/text/placed.js';
import { Steps } from '../sources/text/steps.js';

/** The conf, the command line or the facts of an example, for people. */
export function exampleText(example: Example): string {
  if ('conf' in example) return example.conf;
  if ('facts' in example) return example.shown;
  return example.release === undefined ? example.command : `${example.command}    (${example.release})`;
}

/** The time at which examples are judged: between the past and the future dates in their suppressions. */
const judgedAt = '2026-01-01T00:00:00.000Z';

const usual = kinds[0]?.usualLauncher ?? '';

/** An example; a conf is read as a file of its launcher, a command line with the program that it names. */
export function readExample(example: Example): { readonly facts: Facts; readonly editables?: Editables } {
  if ('facts' in example) return example;
  if ('command' in example) return { facts: commandFacts(example) };
  const launcher = example.launcher ?? usual;
  const name = `${launcher}.conf`;
  const { conf, editables } = readConfFile(name, Buffer.from(example.conf), {
    launcher,
    package: example.package ?? 'tar',
    ...(example.mode === undefined ? {} : { file: { mode: example.mode, uid: 0 } }),
  });
  const facts = { name, role: example.role ?? null, conf: seen(conf), live: null, gatheredAt: judgedAt };
  return { facts, editables };
}

function commandFacts({ command, release }: CommandLine): Facts {
  const name = 'command line';
  const file = new LineIndex(name, command);
  const all = [...command.matchAll(/\S+/g)].map(({ 0: word, index }) =>
    Placed.at(file, index, index + word.length),
  );
  const start = all.findIndex(({ text }) => !/^[A-Z]\w*=/.test(text));
  const env = Object.fromEntries(all.slice(0, start).map(({ text }) => text.split('=', 2)));
  const [program, ...words] = all.slice(start);
  const starter = starterOfProgram(
    kinds,
    program?.text ?? '',
    words.map(({ text }) => text),
  );
  if (starter === null) throw new Error(`no kind of node has a program for: ${command}`);
  const at = file.span({ start: 0, end: command.length });
  const launch = loneLaunch({ ...starter, by: 'name', at, start: { kind: 'binary', words } });
  const source = { kind: name, path: name, lines: file.lines(), comments: [], file: null } as const;
  const conf = confOfLaunch(launch, { source, nodeVersion: release, env, steps: new Steps() });
  return { name, role: null, conf: seen(conf), live: null, gatheredAt: judgedAt };
}
