/** A real chain for a test file: anvil, with Semaphore deployed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Contract, ContractFactory } from 'ethers/contract';
import { JsonRpcProvider, type TransactionReceipt, type TransactionResponse } from 'ethers/providers';
import { HDNodeWallet } from 'ethers/wallet';
import { type Artifacts, anvilBinary, artifacts, link, type SurveyKind } from './contracts.js';

/** Why tests that need the chain are left out, or null. */
export const noAnvil = anvilBinary() === null ? 'the anvil binary is not installed for this platform' : null;
if (noAnvil !== null) process.stderr.write(`SKIPPED: tests on a real chain: ${noAnvil}\n`);

const accounts = HDNodeWallet.fromPhrase(
  'test test test test test test test test test test test junk',
  undefined,
  "m/44'/60'/0'/0",
);

/** The chain's rich accounts, by number; each test takes its own so that none shares a nonce. */
export function account(index: number): HDNodeWallet {
  return accounts.deriveChild(index);
}

export interface Chain {
  readonly url: string;
  readonly provider: JsonRpcProvider;
  readonly semaphore: string;
  /** Deploys a survey whose manager is the account. */
  survey(kind: SurveyKind, manager: number): Promise<Contract>;
  /** The contract of the group, for reading roots. */
  groups(): Contract;
  stop(): void;
}

/**
 * Starts anvil on a free port; the first of its accounts deploys.
 * @param words more options of anvil; with `--block-time` it mines in intervals, as a real chain does
 */
export async function startChain(...words: readonly string[]): Promise<Chain> {
  const binary = anvilBinary();
  if (binary === null) throw new Error(noAnvil ?? '');
  const child = spawn(binary, [
    '--port',
    '0',
    '--chain-id',
    '1001',
    '--gas-limit',
    '300000000',
    '--order',
    'fifo',
    ...words,
  ]);
  const url = `http://127.0.0.1:${await portOf(child)}`;
  const provider = new JsonRpcProvider(url, 1001, {
    staticNetwork: true,
    pollingInterval: 20,
    cacheTimeout: -1,
  });
  const built = artifacts();
  const semaphore = await deploySemaphore(built, account(0).connect(provider));
  return {
    url,
    provider,
    semaphore,
    survey: async (kind, manager) => {
      const signer = account(manager).connect(provider);
      return (await deploy(built[kind].abi, built[kind].bytecode, signer, [semaphore])) as Contract;
    },
    groups: () => new Contract(semaphore, built.Semaphore.abi as never, provider),
    stop: () => {
      provider.destroy();
      child.kill('SIGKILL');
    },
  };
}

async function deploySemaphore(built: Artifacts, wallet: HDNodeWallet): Promise<string> {
  const verifier = await deploy(built.SemaphoreVerifier.abi, built.SemaphoreVerifier.bytecode, wallet, []);
  const poseidon = await deploy(built.PoseidonT3.abi, built.PoseidonT3.bytecode, wallet, []);
  const code = link(built.Semaphore, String(poseidon.target));
  const semaphore = await deploy(built.Semaphore.abi, code, wallet, [verifier.target]);
  return String(semaphore.target);
}

async function deploy(abi: object[], bytecode: string, signer: HDNodeWallet, args: unknown[]) {
  const contract = await new ContractFactory(abi as never, bytecode, signer).deploy(...args);
  await mined(contract.deploymentTransaction());
  return contract;
}

/**
 * The receipt of a sent transaction. `wait()` of ethers reads the receipt once and then only after a new block: on
 * a chain that mines at once, the only block can appear between that read and the first poll for blocks.
 */
export async function mined(sent: TransactionResponse | null): Promise<TransactionReceipt> {
  for (const until = performance.now() + 120_000; performance.now() < until; ) {
    const receipt = await sent?.provider.getTransactionReceipt(sent.hash);
    if (receipt?.status === 1) return receipt;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no successful receipt of ${sent?.hash}`);
}

/** Calls a function of a survey as its manager. */
export async function act(survey: Contract, name: string, ...values: unknown[]): Promise<void> {
  await mined(await survey.getFunction(name)(...values));
}

function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`anvil ended: ${text}`)));
  });
}
