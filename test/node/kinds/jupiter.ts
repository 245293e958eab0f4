/** A made-up kind of node: two interfaces, a history of three releases, and a token that came with the last one. */
import { offeredServices, plainAnswers, plainWire } from '../../../src/node/kinds/answers.js';
import { commonModules, type ModuleRow, moduleForms } from '../../../src/node/kinds/common-modules.js';
import { type FlagRow, flagForm } from '../../../src/node/kinds/flags.js';
import { historyOf, taggedReleases } from '../../../src/node/kinds/history.js';
import type { Kind } from '../../../src/node/kinds/kind.js';
import type { Quirk } from '../../../src/node/kinds/listening.js';
import { datedKind } from '../../../src/node/kinds/plain.js';
import { madeOnce } from '../../../src/node/kinds/release.js';
import { versionIn } from '../../../src/node/kinds/versions.js';
import { defineKind, unversioned } from './plain-kind.js';

const tags = ['v1.0.0', 'v1.1.0', 'v2.0.0'] as const;
type Tag = (typeof tags)[number];
const releases = taggedReleases('jupiter', tags);
const flags = historyOf(releases, () => table.map((row) => flagForm(row)));
// biome-ignore format: a row a line
const table: readonly FlagRow<Tag>[] = [
  ['api.list', 'string', { until: 'v1.0.0' }],
  ['api.list', 'string', { aliases: ['api'], since: 'v1.1.0' }],
  ['cors', 'string'],
  ['port', 'int', { fallback: '8545' }],
  ['rpc', 'bool'],
  ['rpc.addr', 'string', { fallback: '0.0.0.0', until: 'v1.1.0' }],
  ['rpc.addr', 'string', { fallback: '127.0.0.1', since: 'v2.0.0' }],
  ['token', 'string', { since: 'v2.0.0' }],
  ['ws', 'bool'],
];
const services = [
  { namespace: 'rpc', methods: { modules: 0 } },
  { namespace: 'moons', methods: { move: 1 } },
];
const modules = historyOf(releases, () => moduleForms(rows));
// biome-ignore format: a row a line
const rows: readonly ModuleRow<Tag>[] = [
  ['eth', commonModules.eth],
  ['moons', { severity: 'high', privileged: true, does: 'move the moons' }, { since: 'v1.1.0' }],
  ['rpc', commonModules.rpc],
];
const needsToken = (of: 'http' | 'ws'): Quirk => ({
  of,
  apply: (one, { values }) => (values.token?.value == null ? one : { ...one, login: 'token' }),
});
export const jupiter: Kind = madeOnce((id, _fork, at) =>
  defineKind({
    ...{ id: 'jupiter', label: 'Jupiter node', programs: ['jupiterd'], seenRunning: false },
    ...datedKind(releases, id, at, [flags, modules], []),
    evidence: { ...unversioned, ofVersion: (text) => versionIn('jupiter', releases, text) },
    flags: { all: flags.at(id), ofAnyRelease: flags.newest, period: flags.period },
    interfaces: {
      rows: {
        http: { enable: 'rpc', addr: 'rpc.addr', port: 'port', api: 'api.list', origins: 'cors' },
        ws: { enable: 'ws', addr: 'rpc.addr', port: 'port', api: 'api.list', origins: 'cors' },
      },
      quirks: [needsToken('http'), needsToken('ws')],
    },
    modules: {
      catalogue: Object.fromEntries(modules.at(id).map((one) => [one.name, one])),
      builtIn: ['eth'],
    },
    answers: async () => ({
      ...{ ...plainAnswers, client: 'jupiter/v2.0.0', chainId: 5, wire: plainWire },
      services: offeredServices(services),
    }),
  }),
)(releases.newest.id);
