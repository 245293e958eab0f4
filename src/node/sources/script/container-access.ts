/** Commands that copy a file into a running container, or run a command in it. */
import type { Placed } from '../text/placed.js';
import { optionsFrom } from './container-run.js';
import { baseName } from './paths.js';

const programs = /^(?:docker|docker-compose|podman|podman-compose|nerdctl|kubectl|oc)$/;

/** A file that a command copies into a container. */
export interface ContainerCopy {
  readonly container: string;
  readonly from: Placed;
  readonly to: string;
}

/** A command that runs in a container. */
export interface ContainerExec {
  /** The name of the container, its pod or its service, as far as it is known. */
  readonly inside: string;
  readonly words: readonly Placed[];
}

/** Reads `docker cp FILE NAME:PATH`, `docker compose cp` and `kubectl cp`; null: another command. */
export function containerCopy(words: readonly Placed[]): ContainerCopy | null {
  const verb = verbIn(words, 'cp');
  const at = words.findLastIndex(({ text }) => target.test(text));
  const from = words[at - 1];
  const next = words[at + 1]?.text ?? '-';
  if (verb < 0 || from === undefined || at - 1 <= verb || !next.startsWith('-')) return null;
  const [, container = '', to = ''] = target.exec(words[at]?.text ?? '') ?? [];
  return { container, from, to };
}

/** A container's name, after a namespace, and a path in the container. */
const target = /^(?:[^/:]*\/)?([^/:]+):(\/.*)$/;

/** Reads `docker exec NAME COMMAND`, `docker compose exec` and `kubectl exec POD -- COMMAND`; null: another command. */
export function containerExec(words: readonly Placed[]): ContainerExec | null {
  const verb = verbIn(words, 'exec');
  if (verb < 0) return null;
  const { at } = optionsFrom(words, verb + 1);
  const end = words.findIndex(({ text }, index) => index > at && text === '--');
  const command = words.slice(end < 0 ? at + 1 : end + 1);
  return command.length === 0 ? null : { inside: words[at]?.text ?? '', words: command };
}

/** The place of the program's verb; -1: the words are of another program or verb. */
function verbIn(words: readonly Placed[], verb: 'cp' | 'exec'): number {
  if (!programs.test(baseName(words[0]?.text ?? ''))) return -1;
  const first = words.findIndex(({ text }) => /^(?:run|create|build|cp|exec)$/.test(text));
  return words[first]?.text === verb ? first : -1;
}
