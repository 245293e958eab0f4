/** Impacts of modules: rules and the matrices of reports name the same, for every kind, release, interface and access. */
import { describe, expect, test } from 'vitest';
import type { Finding, Report } from '../../../src/node/facts/report.js';
import { compareSeverity } from '../../../src/node/facts/severity.js';
import { moduleImpact, profiler, worstImpact } from '../../../src/node/kinds/impact.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { kaia } from '../../../src/node/kinds/kaia/index.js';
import { kindKnown } from '../../../src/node/kinds/node.js';
import { offersOf } from '../../../src/node/report/html-offers.js';
import { shareOf } from '../../seed.js';
import { run } from '../offline.js';

/** Command lines that open every interface with modules: `A` is the address, `L` the list. */
const starts: Readonly<Record<string, string>> = {
  kaia: 'ken --rpc --rpcaddr A --rpcapi L --ws --wsaddr A --wsapi L --grpc --grpcaddr A',
  geth: 'geth --http --http.addr A --http.api L --ws --ws.addr A --ws.api L',
  bsc: 'geth --http --http.addr A --http.api L --ws --ws.addr A --ws.api L --vote',
  'op-geth':
    'geth --http --http.addr A --http.api L --ws --ws.addr A --ws.api L --rollup.sequencerhttp http://x',
  reth: 'reth node --http --http.addr A --http.api L --ws --ws.addr A --ws.api L',
  'op-reth': 'op-reth node --http --http.addr A --http.api L --ws --ws.addr A --ws.api L',
  erigon: 'erigon --http.addr A --http.api L --ws',
};
const wildcards: Readonly<Record<string, string>> = {
  kaia: '--rpccorsdomain * --wsorigins *',
  reth: '--http.corsdomain *',
  'op-reth': '--http.corsdomain *',
  erigon: '--http.corsdomain *',
};
const accesses = ['0.0.0.0', '10.0.0.1', '127.0.0.1', '127.0.0.1 and web pages'];
const exposed = ['privileged-module', 'unsafe-debug', 'everything-offered'];

type Weight = Pick<Finding, 'subject' | 'severity'>;

/**
 * The gravest of each subject; of erigon, whose ws has the modules of http, of each module. A medium finding that says nothing
 * new beside another is low.
 */
function gravest(all: readonly Weight[], id: string): Record<string, string> {
  const least = [...all].sort((a, b) => compareSeverity(b.severity, a.severity));
  const named = ({ subject }: Weight) => (id === 'erigon' ? subject.replace(/^\w+ /, '') : subject);
  const weighed = ({ severity }: Weight) => (severity === 'medium' ? 'low' : severity);
  return Object.fromEntries(least.map((one) => [named(one), weighed(one)]));
}

async function lint(command: string, ...options: string[]): Promise<Report> {
  const { out } = await run(['node', 'lint', '--format', 'json', ...options, '--command-line', command]);
  return JSON.parse(out) as Report;
}

describe.each(kinds.map((kind) => [kind.id, kind] as const))('%s', (id, kind) => {
  const all = [...new Set(kind.releases.flatMap((one) => Object.keys(kind.at(one.id).modules.catalogue)))];
  const ids = kind.releases.map((one) => one.id);
  const releases = [null, ...shareOf(3, [ids[0], ids[ids.length >> 1], ids.at(-1)])];
  test.each(shareOf(2, accesses, kinds.indexOf(kind)))('at %s', async (access) => {
    const [address = ''] = access.split(' ');
    const open = access === address ? '' : ` ${wildcards[id] ?? '--http.corsdomain * --ws.origins *'}`;
    const command = `${starts[id]}${open}`
      .replaceAll(' A', ` ${address}`)
      .replaceAll(' L', ` ${all.join(',')}`);
    for (const release of releases) {
      const version = release == null ? [] : ['--node-version', release.replace(/^.*\//, '')];
      const { targets = [] } = await lint(command.replaceAll('*', "'*'"), ...version);
      const [target] = targets;
      expect(target, command).toBeDefined();
      if (target === undefined) continue;
      const interfaces = target.interfaces.filter(({ transport }) => transport !== 'ipc');
      const painted = interfaces.flatMap((one) =>
        offersOf(target, one, kinds)
          .filter(({ privileged, module }) => privileged && module !== profiler.name)
          .map(({ module, severity }) => ({ subject: `${one.role ?? one.transport} ${module}`, severity })),
      );
      const found = target.findings.filter(({ rule }) => exposed.includes(rule));
      // The table of interfaces shows the modules of the newest release.
      const isNewest = ({ subject }: Weight) => painted.some((one) => one.subject === subject);
      const told = release === null && id !== 'erigon' ? found.filter(isNewest) : found;
      expect(gravest(painted, id), `${command} ${version.join(' ')}`).toEqual(gravest(told, id));
    }
  });
});

test('gRPC serves the public part of admin and debug alone', () => {
  const node = { nodeKind: kaia, launcher: 'kend', role: null } as const;
  expect(moduleImpact(node, 'admin', { kind: 'grpc' }).severity).toBe('low');
  expect(moduleImpact(node, 'debug', { kind: 'grpc' })).toMatchObject({
    severity: 'info',
    privileged: false,
  });
  const old = { ...node, nodeKind: kaia.at('klaytn/v1.9.1') };
  expect(moduleImpact(old, 'debug', { kind: 'grpc' })).toMatchObject({
    severity: 'medium',
    privileged: true,
  });
  expect(moduleImpact(node, 'admin', { kind: 'http' }).severity).toBe('critical');
});

test('the gravest impact of the releases that a node may be counts', () => {
  const reth = kindKnown(kinds, { kind: 'reth' });
  const [since, until] = [reth?.releases[0]?.id ?? '', reth?.releases.at(-1)?.id ?? ''];
  const range = { value: null, by: 'none', since, until } as const;
  const of = (release: typeof range) =>
    worstImpact(reth, { launcher: null, release }, 'debug', { kind: 'http' }).severity;
  expect(of(range)).toBe('high');
  expect(of({ ...range, until: since })).toBe('medium');
});
