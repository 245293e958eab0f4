/** `survey results` against contracts on a real chain. */
import type { AddressInfo } from 'node:net';
import { type Contract, ContractFactory } from 'ethers/contract';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { httpRpc } from '../../../src/jsonrpc/rpc.js';
import { blockAt } from '../../../src/survey/chain/answers.js';
import { verifyAnswers } from '../../../src/survey/chain/verify-answers.js';
import { bodyServer } from '../../peers/body-server.js';
import { account, act, type Chain, mined, noAnvil, startChain } from '../../survey/chain/anvil.js';
import { artifacts, link } from '../../survey/chain/contracts.js';
import genuine from '../../survey/chain/genuine-proof.json' with { type: 'json' };
import { kaiactl } from '../../survey/command.js';

let chain: Chain;
beforeAll(async () => {
  if (noAnvil === null) chain = await startChain();
});
afterAll(() => chain?.stop());

const groupId = 7;
const results = (survey: Contract, words: readonly string[] = [], url = chain.url) =>
  kaiactl(['survey', 'results', String(survey.target), '--rpc-url', url, ...words]);

/** What `--verify --format json` says, and the exit code. */
async function verified(survey: Contract, url?: string) {
  const { code, stdout } = await results(survey, ['--verify', '--format', 'json'], url);
  return { code, ...JSON.parse(stdout) };
}

/** A survey whose group got these roots, one member each. */
async function surveyOf(manager: number, ...roots: number[]): Promise<Contract> {
  const survey = await chain.survey('LooseSurvey', manager);
  for (const [index, root] of roots.entries()) await act(survey, 'addMember', index, index + 11, root);
  return survey;
}

/** Records an honest answer, but for what is changed. */
async function answer(
  survey: Contract,
  choices: number[],
  nullifier: number,
  change: { root?: number; message?: number; scope?: number } = {},
): Promise<void> {
  const message = change.message ?? choices.reduce((sum, one) => sum * 256 + one, 0);
  await act(survey, 'record', choices, change.root ?? 100, nullifier, message, change.scope ?? groupId);
}

const pass = async (seconds: number) => {
  await chain.provider.send('evm_increaseTime', [seconds]);
  await chain.provider.send('evm_mine', []);
};

/** Verdicts on answers to one question, read in no other way than with this group. */
async function verdictsOf(
  survey: Contract,
  semaphore: string,
  answers: readonly { root: bigint; nullifier?: bigint; points: readonly bigint[] }[],
) {
  const rpc = httpRpc(chain.url, 10_000);
  const of = {
    place: { semaphore, groupId: (await survey.getFunction('groupId')()) as bigint },
    block: await blockAt(rpc, 'latest'),
    questions: [{ question: 'One?', options: ['yes'] }],
    answers: answers.map((one) => ({ choices: [0], depth: 1n, nullifier: 5n, ...one })),
  };
  return verifyAnswers(rpc, String(survey.target), of, null);
}

/** A node in front of the chain that answers with an error where `fails` says so. */
async function failing(fails: (method: string, data: string) => boolean): Promise<string> {
  const server = bodyServer(async (_request, response, body) => {
    const { id, method, params } = JSON.parse(body);
    if (fails(method, String(params?.[0]?.data ?? ''))) {
      const error = { code: -32603, message: 'no state here' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return;
    }
    const headers = { 'content-type': 'application/json' };
    response.end(await (await fetch(chain.url, { method: 'POST', headers, body })).text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(noAnvil !== null)(
  `answers on chain${noAnvil === null ? '' : ` (skipped: ${noAnvil})`}`,
  () => {
    test('honest answers are counted by question and verified', async () => {
      const survey = await surveyOf(1, 100);
      await answer(survey, [2, 0], 1);
      await answer(survey, [2, 1], 2);
      const counted = await verified(survey);
      expect(counted).toMatchObject({ code: 0, groupId: '7', answers: 2, verified: true, problems: [] });
      expect(counted.questions).toEqual([
        {
          question: 'Which colour?',
          options: [
            { option: 'red', answers: 0, verified: 0 },
            { option: 'green', answers: 0, verified: 0 },
            { option: 'blue', answers: 2, verified: 2 },
          ],
        },
        {
          question: 'Again, please?',
          options: [
            { option: 'yes', answers: 1, verified: 1 },
            { option: 'no', answers: 1, verified: 1 },
          ],
        },
      ]);
      const text = await results(survey);
      expect(text).toMatchObject({ code: 0, stderr: expect.stringContaining('proofs not checked') });
      expect(text.stdout).toContain('1. Which colour?\n   red: 0 answers\n');
      const csv = await results(survey, ['--format', 'csv', '--verify']);
      expect(csv.stdout).toContain(
        'question,text,option,label,answers,verified\n1,Which colour?,1,red,0,0\n',
      );
      const wallet = account(1).address.slice(2).toLowerCase();
      const printed = `${text.stdout}${text.stderr}${csv.stdout}${JSON.stringify(counted)}`;
      expect(printed.toLowerCase()).not.toContain(wallet);
    });

    test('a root that the group never had is invalid', async () => {
      const survey = await surveyOf(2, 100);
      await answer(survey, [0, 0], 1, { root: 999 });
      expect(await verified(survey)).toMatchObject({
        code: 1,
        verified: false,
        problems: [{ answer: 1, verified: false, reasons: ['its root was never one of this group'] }],
      });
    });

    test('a scope of another survey is invalid', async () => {
      const survey = await surveyOf(3, 100);
      await answer(survey, [0, 0], 1, { scope: 8 });
      const { code, problems } = await verified(survey);
      expect(code).toBe(1);
      expect(problems[0].reasons).toEqual([
        'its scope is 8, the survey’s is 7',
        'the group’s verifier refuses its proof',
      ]);
    });

    test('a message that differs from the recorded answer is invalid and not counted as verified', async () => {
      const survey = await surveyOf(4, 100);
      await answer(survey, [1, 1], 1, { message: 0 });
      const { code, problems, questions } = await verified(survey);
      expect(code).toBe(1);
      expect(problems[0].reasons).toContain('its message is 0, the recorded answer is 257');
      expect(questions[0].options[1]).toEqual({ option: 'green', answers: 1, verified: 0 });
    });

    test('a repeated nullifier is invalid', async () => {
      const survey = await surveyOf(5, 100);
      await answer(survey, [0, 0], 1);
      await answer(survey, [0, 0], 1);
      const { code, problems } = await verified(survey);
      expect(code).toBe(1);
      expect(problems[1].reasons).toContain('its nullifier was used by answer 1');
    });

    test('a proof that the verifier refuses is invalid, and without an event its age is not known', async () => {
      const survey = await surveyOf(6, 100);
      await act(survey, 'slip', [0, 0], 100, 1, [0, 1, 2, 3, 4, 5, 6, 7]);
      const { code, problems } = await verified(survey);
      expect(code).toBe(1);
      expect(problems[0].reasons).toEqual([
        'the group’s verifier refuses its proof',
        expect.stringContaining('the age of its root is not known'),
      ]);
      const unseen = await surveyOf(7, 100);
      const points = await unseen.getFunction('proofOf')(1, 100, 1, 0, groupId);
      await act(unseen, 'slip', [0, 0], 100, 1, [...points]);
      expect(await verified(unseen)).toMatchObject({
        code: 3,
        verified: null,
        problems: [{ verified: null }],
      });
    });

    test('the real Semaphore verifier refuses a made-up proof', async () => {
      const survey = await chain.survey('OpenSurvey', 8);
      const groups = chain.groups();
      await act(survey, 'addMembers', [11, 12]);
      const root: bigint = await groups.getFunction('getMerkleTreeRoot')(
        await survey.getFunction('groupId')(),
      );
      const [verdict] = await verdictsOf(survey, chain.semaphore, [
        { root, points: [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n] },
      ]);
      expect(verdict?.wrong).toEqual(['the group’s verifier refuses its proof']);
    });

    test('proofs that a real Semaphore contract accepted are verified, one after a removal too', async () => {
      const verifier = await chain.survey('LooseSurvey', 6);
      const signer = account(8).connect(chain.provider);
      const built = artifacts();
      const deploy = async (kind: 'PoseidonT3' | 'OpenSurvey', code: string, ...args: unknown[]) => {
        const made = await new ContractFactory(built[kind].abi as never, code, signer).deploy(...args);
        await mined(made.deploymentTransaction());
        return made as Contract;
      };
      const poseidon = await deploy('PoseidonT3', built.PoseidonT3.bytecode);
      const factory = new ContractFactory(
        built.Semaphore.abi as never,
        link(built.Semaphore, String(poseidon.target)),
        signer,
      );
      const semaphore = (await factory.deploy(verifier.target)) as Contract;
      await mined(semaphore.deploymentTransaction());
      const survey = await deploy('OpenSurvey', built.OpenSurvey.bytecode, semaphore.target);
      const id: bigint = await survey.getFunction('groupId')();
      await act(survey, 'addMembers', [11, 12]);
      const root: bigint = await semaphore.getFunction('getMerkleTreeRoot')(id);
      await act(survey, 'removeMember', 12, [11]);
      const answers = [];
      for (const nullifier of [5n, 6n]) {
        const proof = [1n, root, nullifier, 0n, id];
        const points = [...(await verifier.getFunction('proofOf')(...proof))] as bigint[];
        await act(semaphore, 'validateProof', id, [...proof, points]);
        answers.push({ root, nullifier, points });
      }
      const clean = { wrong: [], unknown: [] };
      expect(await verdictsOf(survey, String(semaphore.target), answers)).toEqual([clean, clean]);
      const swapped = [{ ...answers[0], points: answers[1]?.points ?? [] }] as typeof answers;
      const [refused] = await verdictsOf(survey, String(semaphore.target), swapped);
      expect(refused?.wrong).toEqual([
        'the accepted proof is not the recorded one',
        'the group’s verifier refuses its proof',
      ]);
    });

    test('a genuine proof passes the published verifier, and no other answer can use it', async () => {
      // The proof is for the first group of a chain.
      const own = await startChain();
      onTestFinished(() => own.stop());
      const survey = await own.survey('AskingSurvey', 5);
      for (const member of genuine.members) await act(survey, 'joinGroup', member);
      const before = await own.provider.send('evm_snapshot', []);
      await act(survey, 'submitAnswer', genuine.proof, [1, 0]);
      const forged = await verified(survey, own.url);
      expect(forged).toMatchObject({ code: 1, answers: 1, verified: false });
      expect(JSON.stringify(forged.problems)).toContain('its message is 512, the recorded answer is 256');
      expect(JSON.stringify(forged.problems)).toContain('the group’s verifier refuses its proof');
      await own.provider.send('evm_revert', [before]);
      await act(
        survey.connect(account(6).connect(own.provider)) as Contract,
        'submitAnswer',
        genuine.proof,
        [2, 0],
      );
      expect(await verified(survey, own.url)).toMatchObject({
        code: 0,
        answers: 1,
        verified: true,
        problems: [],
      });
    });

    test('the root before a removal counts within merkleTreeDuration, and not beyond', async () => {
      const survey = await surveyOf(9, 100, 200);
      await act(survey, 'removeMember', 1, 12, 300);
      await answer(survey, [0, 0], 1, { root: 200 });
      expect(await verified(survey)).toMatchObject({ code: 0, verified: true });
      await pass(3700);
      await answer(survey, [0, 0], 2, { root: 200 });
      await answer(survey, [0, 0], 3, { root: 300 });
      const { code, problems } = await verified(survey);
      expect(code).toBe(1);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({
        answer: 2,
        reasons: [expect.stringMatching(/^its root was 37\d\d s old and counts for 3600 s$/)],
      });
    });

    test('the merkleTreeDuration of the moment counts, not a later one', async () => {
      const survey = await surveyOf(1, 100, 200);
      await act(survey, 'setDuration', 10_000);
      await pass(5000);
      await answer(survey, [0, 0], 1);
      await act(survey, 'setDuration', 60);
      expect(await verified(survey)).toMatchObject({ code: 0, verified: true });
      await answer(survey, [0, 0], 2);
      expect(await verified(survey)).toMatchObject({ code: 1, problems: [{ answer: 2 }] });
    });

    test('an option that does not exist is invalid and counted nowhere', async () => {
      const survey = await surveyOf(2, 100);
      await answer(survey, [3, 0], 1);
      const { code, problems, questions } = await verified(survey);
      expect(code).toBe(1);
      expect(problems[0].reasons).toEqual(['it chooses option 4 of question 1, which has 3']);
      expect(questions[0].options.map((one: { answers: number }) => one.answers)).toEqual([0, 0, 0]);
    });

    test('events missing at the start leave a root unverified instead of invalid', async () => {
      const survey = await surveyOf(3, 100, 200);
      const { blockNumber } = await mined(await survey.getFunction('addMember')(2, 13, 300));
      await answer(survey, [0, 0], 1, { root: 200 });
      const words = ['--verify', '--format', 'json', '--from-block', String(blockNumber)];
      const { code, stdout } = await results(survey, words);
      expect(code).toBe(3);
      expect(JSON.parse(stdout).problems[0].reasons[0]).toContain('the first members are missing');
    });

    test('a node that fails half-way leaves the counts, and names what was not verified', async () => {
      const survey = await surveyOf(4, 100, 200);
      await answer(survey, [0, 0], 1);
      await answer(survey, [1, 0], 2, { root: 200 });
      const selector = survey.interface.getFunction('verifyProof')?.selector ?? '';
      let asked = 0;
      const half = await failing((_method, data) => data.startsWith(selector) && asked++ === 1);
      const partly = await verified(survey, half);
      expect(partly).toMatchObject({ code: 3, verified: null, answers: 2 });
      expect(partly.problems).toHaveLength(1);
      expect(partly.problems[0].reasons).toEqual([
        'the group’s verifier could not be asked: it answered with error -32603',
      ]);
      const noLogs = await failing((method) => method === 'eth_getLogs');
      const without = await results(survey, ['--verify'], noLogs);
      expect(without).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('0 verified, 0 invalid, 2 not'),
      });
      expect(without.stdout).toContain('red: 1 answer, 0 verified');
      expect(without.stdout).toContain(
        'answer 2 is not verified: the group’s verifier and events could not be read',
      );
    });

    test('a survey without answers to read, and an address without a contract', async () => {
      const plain = await chain.survey('Survey', 5);
      expect(await results(plain)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('getAnswers()'),
      });
      const none = { target: `0x${'ab'.repeat(20)}` } as unknown as Contract;
      expect(await results(none)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('no survey contract'),
      });
      expect((await results(plain, [], 'http://127.0.0.1:1')).code).toBe(3);
    });
  },
);
