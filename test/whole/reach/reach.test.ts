/**
 * Predicted reach against what callers get: generated deployments, made real in network namespaces with nginx, Caddy,
 * HAProxy and nft, and the rules of Docker. `npm run test:reach -- 1000` makes so many.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InterfaceReport, Report } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';
import { installed } from '../../node/report/tools.js';
import { Random } from '../../node/sources/random.js';
import { seed } from '../../seed.js';
import type { Draft, Service } from './draft.js';
import { generate } from './generate.js';
import { canMakeNetworks, farther, type Where } from './network.js';
import { Machine, type Truth } from './truth.js';

const count = Number(process.env.KAIACTL_TEST_REACH);
const first = Number(process.env.KAIACTL_TEST_REACH_FROM ?? 0);
const what = 'predicted reach against callers';
const programs = ['nginx', 'caddy', 'haproxy', 'nft', 'iptables-nft-restore', 'openssl'].map((name) =>
  installed(name, what),
);
if (!canMakeNetworks) process.stderr.write(`SKIPPED: ${what}: it needs root and network namespaces\n`);
const canTry = count > 0 && canMakeNetworks && programs.every((is) => is);

/** An interface of a deployment: who is told to reach it, and who does. */
interface Tried {
  readonly deployment: number;
  readonly name: Service['name'];
  readonly truth: Truth;
  /** null: left open, for the reasons told. */
  readonly predicted: Truth | null;
  readonly reasons: readonly string[];
  readonly draft: Draft;
}

/** What the report tells of an interface. */
function predictionOf(report: Report, name: Service['name']): Pick<Tried, 'predicted' | 'reasons'> {
  const target = report.targets.find(({ interfaces }) =>
    interfaces.some(({ transport }) => transport === 'ipc'),
  );
  const row = target?.interfaces.find(({ transport }) => transport === name);
  const open = reachOf(row?.reach);
  if (row !== undefined && row.reach === undefined) {
    const about = (target?.undetermined ?? []).filter(({ rule }) => rule === 'relayed-interface');
    return { predicted: null, reasons: about.map(({ reason }) => reason) };
  }
  return {
    predicted: { open, login: (row?.reachVia ?? []).map(withLogin).reduce(farther, open) },
    reasons: [],
  };
}

const reachOf = (reach: InterfaceReport['reach'] | null): Where | null =>
  reach === undefined || reach === null ? null : reach === 'ipc' ? 'loopback' : reach;

/** The reach of a way that needs a login: `nginx.conf:3: any, with a login`. */
function withLogin(way: string): Where | null {
  const [, reach] = /: (any|private|loopback), with a login$/.exec(way) ?? [];
  return (reach ?? null) as Where | null;
}

const equals = (a: Truth, b: Truth) => a.open === b.open && a.login === b.login;
const isNarrower = (a: Truth, b: Truth) =>
  farther(a.open, b.open) !== a.open || farther(a.login, b.login) !== a.login;

function told({ open, login }: Truth): string {
  return open === login ? `${open ?? 'nobody'}` : `${open ?? 'nobody'}, and ${login} with a login`;
}

/** What is needed to see the deployment, and to make it again. */
function shown({ deployment, name, truth, predicted, draft }: Tried): string {
  const files = draft.files.map(({ path, read, text }) => `--- ${read ?? `${path} (not read)`}\n${text}`);
  return [
    `KAIACTL_TEST_SEED=${seed} KAIACTL_TEST_REACH_FROM=${deployment}: ${name}`,
    `told: ${predicted === null ? 'open' : told(predicted)}; reached: ${told(truth)}`,
    ...files,
  ].join('\n');
}

describe.skipIf(!canTry)('in namespaces (skipped where they may not be made)', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.open();
  });
  afterAll(() => machine?.close());

  async function tryOne(deployment: number): Promise<Tried[]> {
    const draft = generate(new Random(seed * 1_000_003 + deployment));
    // Once more, if a packet of a caller is lost.
    const made = () => machine.truthOf(draft);
    const truths = await made()
      .catch(made)
      .catch((error: Error) => {
        throw new Error(
          `deployment ${deployment} of seed ${seed}: ${error.message}\n${draft.files.map(({ text }) => text).join('\n')}`,
        );
      });
    const { out } = await run(['node', 'lint', machine.read, '--format', 'json']);
    const report = JSON.parse(out) as Report;
    return [...truths].map(([name, truth]) => ({
      deployment,
      name,
      truth,
      draft,
      ...predictionOf(report, name),
    }));
  }

  test(
    `who is told to reach an interface reaches it, in ${count} deployments`,
    async () => {
      const tried: Tried[] = [];
      for (let at = 0; at < count; at += 1) tried.push(...(await tryOne(first + at)));
      process.stderr.write(summary(tried));
      const decided = tried.flatMap((one) =>
        one.predicted === null ? [] : [{ ...one, predicted: one.predicted }],
      );
      const wrong = decided.filter(({ predicted, truth }) => !equals(predicted, truth));
      const narrower = wrong.filter(({ predicted, truth }) => isNarrower(predicted, truth));
      expect(narrower.map(shown), 'told to be reached by fewer than reach it').toEqual([]);
      const most = decided.length / 100;
      expect(wrong.length <= most, wrong.map(shown).join('\n\n')).toBe(true);
    },
    count * 60_000,
  );
});

function summary(tried: readonly Tried[]): string {
  const open = tried.filter(({ predicted }) => predicted === null);
  const right = tried.filter(({ predicted, truth }) => predicted !== null && equals(predicted, truth));
  const decided = tried.length - open.length;
  const different = tried.filter(({ predicted, truth }) => predicted !== null && !equals(predicted, truth));
  const share = ((100 * decided) / tried.length).toFixed(1);
  const lines = [
    `${count} deployments, ${tried.length} interfaces: ${decided} decided (${share} %), ${right.length} of them as callers get it`,
    ...counted(
      'reached by',
      tried.map(({ truth }) => told(truth)),
    ),
    ...counted(
      'decided',
      tried.flatMap(({ predicted, draft }) => (predicted === null ? [] : [inFront(draft)])),
    ),
    ...counted(
      'not as callers get it',
      different.map(
        (one) => `${told(one.predicted ?? one.truth)} for ${told(one.truth)}: ${inFront(one.draft)}`,
      ),
    ),
    ...counted(
      'open',
      open.map(({ draft }) => inFront(draft)),
    ),
    ...counted(
      'open',
      open.map(({ reasons }) => [...new Set(reasons.map(general))].join('; ')),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const inFront = ({ proxies, firewall, placing, isProxyInside }: Draft) =>
  [
    ...(placing === 'machine' ? [] : [placing === 'host' ? 'container on the host' : 'container']),
    ...(proxies.length === 0
      ? ['no proxy']
      : proxies.map((one) => (isProxyInside ? `${one} beside it` : one))),
    ...(firewall === null ? [] : [firewall]),
  ].join(' and ');

/** A reason without its place, its numbers and addresses. */
const general = (reason: string) =>
  reason
    .replace(/^\S+:\d+:\d+: /, '')
    .replace(/, listening on \S+(?=: )/, '')
    .replaceAll(/\d+(?:\.\d+)*/g, 'N');

function counted(label: string, all: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, times]) => `  ${label}: ${name}: ${times}`);
}
