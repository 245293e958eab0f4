/** Reads Dockerfiles: ENTRYPOINT and CMD of the last stage, in both forms. */

import { variableOf } from '../environment/environment.js';
import type { Scope } from '../launch/files.js';
import type { Context, Launches, LaunchVariable } from '../launch/launch.js';
import { launchesOf } from '../script/container.js';
import { interpolate } from '../text/interpolate.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { pairOf, wordsOf } from '../text/words.js';
import { type Instruction, instructionsOf, jsonWords } from './instructions.js';

interface Stage {
  readonly image: Placed | null;
  readonly environment: Map<string, LaunchVariable>;
  readonly scripts: Placed[];
  readonly copies: { readonly from: Placed; readonly to: string }[];
  entrypoint: Placed | null;
  command: Placed | null;
}

/** Reads a Dockerfile. A stage based on another stage of the file inherits from it. */
export function readDockerfile(file: LineIndex, { files, steps, kinds }: Context): Launches {
  const stages = new Map<string, Stage>();
  let stage: Stage | null = null;
  for (const instruction of instructionsOf(file)) {
    if (steps.left === 0) break;
    steps.count(1 + (stage === null ? 0 : (stage.environment.size + stage.scripts.length) / 4));
    if (instruction.name === 'FROM') stage = begin(instruction.rest, stages);
    else if (stage !== null) take(stage, instruction);
  }
  if (stage === null) return { launches: [], problems: [], notes: [] };
  const last = stage;
  const scope = files.scope();
  const launches = launchesOf({
    name: null,
    words: commandOf(last),
    environment: last.environment,
    // Ports are published where the image is run.
    container: null,
    image: last.image,
    before: last.scripts,
    file: (path) => copied(last, path, file, scope),
    files: scope,
    steps,
    kinds,
  });
  return { launches, problems: [], notes: [] };
}

function begin(rest: Placed, stages: Map<string, Stage>): Stage {
  const [image = rest, as, name] = wordsOf(rest).filter(({ text }) => !text.startsWith('--'));
  const base = stages.get(image.text);
  const stage: Stage = {
    image: base?.image ?? image,
    environment: new Map(base?.environment),
    scripts: [...(base?.scripts ?? [])],
    copies: [...(base?.copies ?? [])],
    entrypoint: base?.entrypoint ?? null,
    command: base?.command ?? null,
  };
  if (as?.text.toLowerCase() === 'as' && name !== undefined) stages.set(name.text, stage);
  stages.set(String(stages.size), stage);
  return stage;
}

function take(stage: Stage, { name, rest, documents }: Instruction): void {
  if (name === 'ENV' || name === 'ARG') setVariables(stage, rest, name === 'ENV');
  else if (name === 'ENTRYPOINT') {
    stage.entrypoint = rest;
    stage.command = null;
  } else if (name === 'CMD') stage.command = rest;
  else if (name === 'RUN') stage.scripts.push(...(documents.length > 0 ? documents : [scriptOf(rest)]));
  else if (name === 'COPY' || name === 'ADD') copy(stage, rest);
}

/** The script of RUN in shell form, without RUN's own options. */
function scriptOf(rest: Placed): Placed {
  const options = /^(?:\s*--\S+)*\s*/.exec(rest.text)?.[0].length ?? 0;
  return rest.slice(options);
}

/** ENV NAME=value … or ENV NAME value. */
function setVariables(stage: Stage, rest: Placed, kept: boolean): void {
  const words = wordsOf(rest);
  const [first, second] = words;
  const old = kept && first !== undefined && second !== undefined && !first.text.includes('=');
  const pairs = old ? [[first.text, rest.slice(rest.text.indexOf(second.text))] as const] : words.map(pairOf);
  const known = new Map(
    [...stage.environment].flatMap(([key, { value }]) => (value === null ? [] : [[key, value]])),
  );
  for (const [key, value] of pairs) {
    const text = value === null ? null : interpolate(value, known);
    // An ARG does not exist at run time; it is kept because other values may expand it.
    if (text !== null) stage.environment.set(key, variableOf(text));
  }
}

function copy(stage: Stage, rest: Placed): void {
  const words = (jsonWords(rest) ?? wordsOf(rest)).filter(({ text }) => !text.startsWith('--'));
  const target = words.at(-1)?.text ?? '';
  if (/--from=/.test(rest.text)) return;
  for (const from of words.slice(0, -1)) {
    const name = from.text.slice(from.text.lastIndexOf('/') + 1);
    stage.copies.push({ from, to: target.endsWith('/') ? `${target}${name}` : target });
  }
}

function commandOf({ entrypoint, command }: Stage): Placed[] {
  if (entrypoint === null) return command === null ? [] : formOf(command);
  const words = jsonWords(entrypoint);
  if (words === null) return inShell(entrypoint);
  return [...words, ...(command === null ? [] : formOf(command))];
}

function formOf(text: Placed): Placed[] {
  return jsonWords(text) ?? inShell(text);
}

function inShell(text: Placed): Placed[] {
  return [text.as('/bin/sh'), text.as('-c'), text];
}

function copied(stage: Stage, path: string, file: LineIndex, files: Scope): Placed | null {
  for (const { from, to } of stage.copies.toReversed()) {
    const folder = to.replace(/\/$/, '');
    const name =
      to === path || path.endsWith(`/${to}`)
        ? from.text
        : path.startsWith(`${folder}/`)
          ? `${from.text}/${path.slice(folder.length + 1)}`
          : null;
    const read = name === null ? null : files.read(name, file, 'copied');
    if (read !== null && !('problem' in read)) return Placed.at(read);
  }
  return null;
}
