/** The contracts that tests deploy. contracts.json holds what solc made of them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const root = new URL('../../..', import.meta.url).pathname;
const kept = join(root, 'test/survey/chain/contracts.json');
const source = readFileSync(join(root, 'fixtures/contracts/Survey.sol'), 'utf8');

interface Artifact {
  readonly abi: object[];
  /** 0x-hex, libraries not linked. */
  readonly bytecode: string;
  /** Where the address of PoseidonT3 goes: offsets in bytes. */
  readonly links: readonly number[];
}
export type SurveyKind =
  | 'Survey'
  | 'OpenSurvey'
  | 'AskingSurvey'
  | 'MuteSurvey'
  | 'DearSurvey'
  | 'LoudSurvey'
  | 'LooseSurvey';
export type Artifacts = Readonly<
  Record<'Semaphore' | 'SemaphoreVerifier' | 'PoseidonT3' | SurveyKind, Artifact>
>;

const wanted = {
  Semaphore: '@semaphore-protocol/contracts/Semaphore.sol',
  SemaphoreVerifier: '@semaphore-protocol/contracts/base/SemaphoreVerifier.sol',
  PoseidonT3: 'poseidon-solidity/PoseidonT3.sol',
  Survey: 'Survey.sol',
  OpenSurvey: 'Survey.sol',
  AskingSurvey: 'Survey.sol',
  MuteSurvey: 'Survey.sol',
  DearSurvey: 'Survey.sol',
  LoudSurvey: 'Survey.sol',
  LooseSurvey: 'Survey.sol',
} as const;

/** Reads contracts.json, which is made again if the source or a compiler has changed. */
export function artifacts(): Artifacts {
  const versions = ['solc', '@semaphore-protocol/contracts', 'poseidon-solidity'].map(
    (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version,
  );
  const key = createHash('sha256')
    .update(JSON.stringify([source, versions]))
    .digest('hex');
  const { key: keptKey, ...contracts } = JSON.parse(readFileSync(kept, 'utf8'));
  if (keptKey === key) return contracts;
  const made = compile();
  const beside = `${kept}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify({ key, ...made })}\n`);
  renameSync(beside, kept);
  return made;
}

interface Output {
  readonly errors?: { severity: string; formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, Compiled>>;
}
interface Compiled {
  readonly abi: object[];
  readonly evm: {
    bytecode: { object: string; linkReferences: Record<string, Record<string, { start: number }[]>> };
  };
}

/** What solc makes of the contracts, in some seconds. */
export function compile(): Artifacts {
  const solc = require('solc') as { compile(input: string, callbacks: object): string };
  const paths = new Set(Object.values(wanted).filter((path) => path !== 'Survey.sol'));
  const load = (path: string) => readFileSync(join(root, 'node_modules', path), 'utf8');
  const sources = Object.fromEntries([...paths].map((path) => [path, { content: load(path) }]));
  const input = {
    language: 'Solidity',
    sources: { ...sources, 'Survey.sol': { content: source } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'paris',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode'] } },
    },
  };
  const found = (path: string) => ({ contents: load(path) });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: found })) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  return Object.fromEntries(
    Object.entries(wanted).map(([name, path]) => [name, artifact(output.contracts[path]?.[name])]),
  ) as Artifacts;
}

function artifact(compiled: Compiled | undefined): Artifact {
  if (compiled === undefined) throw new Error('a contract is missing from the output of solc');
  const { object, linkReferences } = compiled.evm.bytecode;
  const places = Object.values(linkReferences).flatMap((file) => Object.values(file).flat());
  return { abi: compiled.abi, bytecode: `0x${object}`, links: places.map(({ start }) => start) };
}

/** Bytecode with the library's address in every place left for it. */
export function link({ bytecode, links }: Artifact, library: string): string {
  let code = bytecode;
  for (const start of links) {
    code = code.slice(0, 2 + start * 2) + library.slice(2).toLowerCase() + code.slice(2 + start * 2 + 40);
  }
  return code;
}

/** Where the binary of the npm package lies on this platform, or null. */
export function anvilBinary(): string | null {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch;
  try {
    const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`);
    const binary = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
