/** Clients and companions that are no judged kind of node: how they are recognised, and what they open. */
import { once } from '../../util/once.js';
import { hasUnknownCommand, knownWords, optionsOf, subCommands, type Word } from '../dialect/options.js';
import type { BuildFacts, EndpointFacts } from '../facts/live.js';
import { clientOf, type OtherClient } from './client.js';
import { consensus } from './others/consensus.js';
import { execution } from './others/execution.js';
import { gethForks } from './others/geth-forks.js';
import { rollups } from './others/rollups.js';
import { signers } from './others/signers.js';

export type { OtherClient } from './client.js';
export { describe, isForPeers, type OpenInterface, summary } from './client-starts.js';

/** Every client and companion that is named and not judged. */
export const others = once((): readonly OtherClient[] =>
  [execution, gethForks, rollups, consensus, signers].flatMap((rows) => rows().map(clientOf)),
);

/** Programs that run the program, the package or the script of their first word. */
const runners = /^(?:npx|pnpx|bunx|npm|pnpm|yarn|bun|node|nodejs|dotnet|sh|bash)$/;
const runnerWords = /^(?:exec|dlx|run|x)$/;

/** The client that a program runs as a server; null if it is none of these, or its sub-command serves nothing. */
export function otherOfProgram(program: string, words: readonly Word[]): OtherClient | null {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  const known = knownWords(words);
  if (name === 'prysm.sh' || name === 'prysm.bat') {
    const [first, ...rest] = known;
    return first == null ? null : otherOfProgram(`prysm-${first}`, rest);
  }
  if (name === 'java') return otherOfJava(known);
  if (runners.test(name)) {
    const at = known.findIndex((word) => word !== null && !/^-/.test(word) && !runnerWords.test(word));
    if (at < 0) return null;
    const [script, rest] = [known[at] as string, known.slice(at + 1)];
    const [, ofPackage] = /.*\/node_modules\/(?:@[^/]+\/)?([^/.][^/]*)\//.exec(script) ?? [];
    return otherOfProgram(script, rest) ?? (ofPackage === undefined ? null : otherOfProgram(ofPackage, rest));
  }
  return others().find((client) => isProgram(client, name, known) && serves(client, known)) ?? null;
}

/** The client that a process runs: by its program's build information, its program's name, or its flags. */
export function otherOfProcess(
  argv: readonly string[],
  build: BuildFacts | null,
): { readonly client: OtherClient; readonly by: 'program' | 'flags' } | null {
  const [program = '', ...words] = argv;
  const built = build === null ? null : otherOfProgram(programOfBuild(build.path), words);
  const named = built ?? otherOfProgram(program, words) ?? otherOfProgram(withoutRelease(program), words);
  if (named !== null) return { client: named, by: 'program' };
  const client = otherOfFlags(words);
  return client === null ? null : { client, by: 'flags' };
}

/** A downloaded program may keep its release and platform: beacon-chain-v5.0.3-linux-amd64. */
export function withoutRelease(program: string): string {
  return program.replace(/[-_]v?\d+\.\d[^/]*$/, '');
}

/** `github.com/ethereum-optimism/optimism/op-node/cmd` → `op-node`. */
function programOfBuild(path: string): string {
  return (
    path
      .split('/')
      .filter((part) => !/^(?:cmd|main|v\d+)$/.test(part))
      .at(-1) ?? ''
  );
}

/** The client of a Java program: named by its jar, or by a part of its main class, `org.hyperledger.besu.Besu`. */
function otherOfJava(words: readonly Word[]): OtherClient | null {
  for (const [at, word] of words.entries()) {
    const [, jar] = /([\w.-]+?)(?:-\d[\w.+-]*)?\.jar$/.exec(word ?? '') ?? [];
    const parts = /^[a-z]\w*(?:\.\w+){2,}$/.test(word ?? '') ? (word ?? '').split('.') : [];
    for (const name of jar === undefined ? parts : [jar]) {
      const found = otherOfProgram(name, words.slice(at + 1));
      if (found !== null) return found;
    }
  }
  return null;
}

function isProgram(client: OtherClient, name: string, words: readonly Word[]): boolean {
  return (
    names(client.programs, name) ||
    (names(client.sharedPrograms, name) &&
      (ownFlags(client, optionsOf(words)) > 0 ||
        optionsOf(words).some((one) => client.beside.includes(one.name))))
  );
}

/** The client with a program of this name. */
export function otherOfName(name: string): OtherClient | null {
  return others().find(({ programs }) => names(programs, name)) ?? null;
}

function names(programs: OtherClient['programs'], name: string): boolean {
  return programs.some((one) => (typeof one === 'string' ? one === name : one.test(name)));
}

/** Whether the words start a server; unknown words may hold the sub-command. */
function serves({ serving, idle }: OtherClient, words: readonly Word[]): boolean {
  if (words.includes('--help') || words.includes('--version')) return false;
  const commands = subCommands(words);
  const command = commands.find((word) => serving.includes(word) || idle.includes(word));
  if (command !== undefined) return serving.includes(command);
  return serving.length === 0 || (commands.length === 0 && hasUnknownCommand(words));
}

/**
 * The client of an image; the words of the container's command, if given, tell apart the programs of one image.
 * Returns null if it is none of these, or its command serves nothing.
 */
export function otherOfImage(image: string, words: readonly Word[] = []): OtherClient | null {
  const bare = image.replace(/@.*$/, '').replace(/:[^/]*$/, '');
  const candidates = others().filter(({ images }) => images?.test(bare) === true);
  if (candidates.length === 0) return null;
  const [program, ...rest] = splitCommand(words);
  if (program != null && others().some((client) => names(client.programs, program.replace(/^.*\//, ''))))
    return otherOfProgram(program, rest);
  const whole = knownWords(words);
  const inImage = candidates.filter(({ isToolbox }) => !isToolbox);
  const isIdle = subCommands(whole).some((word) => inImage.every(({ idle }) => idle.includes(word)));
  return inImage.find((client) => serves(client, whole)) ?? (isIdle ? null : (inImage[0] ?? null));
}

/** The words; those of one that holds a whole command, as `sh -c` takes it. */
function splitCommand(words: readonly Word[]): readonly Word[] {
  const [only] = words;
  return words.length === 1 && only != null && only.includes(' ') ? only.trim().split(/\s+/) : words;
}

/** The client that answers web3_clientVersion so; null if it is none of these. */
export function otherOfAnswer(answer: string): OtherClient | null {
  return others().find(({ clientName }) => clientName?.test(answer) === true) ?? null;
}

/** The client that an endpoint names itself as; null if it is none of these, or was not asked. */
export function otherAnswering({ client }: Pick<EndpointFacts, 'client'>): OtherClient | null {
  return client.state === 'seen' ? otherOfAnswer(client.value) : null;
}

/** The client with the most own flags among the words, which no judged kind has; null if they hold none. */
export function otherOfFlags(words: readonly Word[]): OtherClient | null {
  const options = optionsOf(words);
  const found = others().map((client) => ({ client, count: ownFlags(client, options) }));
  const best = found.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count > 0 ? best.client : null;
}

function ownFlags({ own }: OtherClient, options: ReturnType<typeof optionsOf>): number {
  const isOwn = (name: string) =>
    own.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  return options.filter(({ name }) => isOwn(name)).length;
}
