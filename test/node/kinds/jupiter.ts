/** A made-up kind of node: two interfaces, a history of three releases, and a token that came with the last one. */
import { go } from '../../../src/node/dialect/go/index.js';
import { offeredServices, plainAnswers, plainWire } from '../../../src/node/kinds/answers.js';
import { commonModules, type ModuleRow, moduleForms } from '../../../src/node/kinds/common-modules.js';
import { defineKind } from '../../../src/node/kinds/define.js';
import { type FlagRow, flagForm } from '../../../src/node/kinds/flags.js';
import { historyOf, taggedReleases } from '../../../src/node/kinds/history.js';
import type { Quirk } from '../../../src/node/kinds/listening.js';
import { plainModules } from '../../../src/node/kinds/plain.js';

const tags = ['v1.0.0', 'v1.1.0', 'v2.0.0'] as const;
type Tag = (typeof tags)[number];
const releases = taggedReleases('jupiter', tags);
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
const flags = historyOf(releases, () => table.map((row) => flagForm(row)));
// biome-ignore format: a row a line
const moduleTable: readonly ModuleRow<Tag>[] = [
  ['eth', commonModules.eth],
  ['moons', { severity: 'high', privileged: true, does: 'move the moons' }, { since: 'v1.1.0' }],
  ['rpc', commonModules.rpc],
];
const modules = historyOf(releases, () => moduleForms(moduleTable));
const http = { enable: 'rpc', addr: 'rpc.addr', port: 'port', api: 'api.list', origins: 'cors' };
const rows = { http, ws: { ...http, enable: 'ws' } };
const needsToken = (of: 'http' | 'ws'): Quirk<Tag> => ({
  of,
  apply: (one, { values }) => (values.token?.value == null ? one : { ...one, login: 'token' }),
});
const services = offeredServices(
  ['moons', 'rpc'].map((namespace) => ({ namespace, methods: { modules: 0 } })),
);
const answers = { ...plainAnswers, client: 'jupiter/v2.0.0', chainId: 5, wire: plainWire, services };

export const jupiter = defineKind<Tag>({
  id: 'jupiter',
  label: 'Jupiter node',
  programs: ['jupiterd'],
  dialect: go,
  releases,
  flags,
  histories: [flags, modules],
  quirks: [needsToken('http'), needsToken('ws')],
  turns: [],
  simulated: async () => ({ answersOf: () => answers }),
  at: ({ release }) => ({ modules: plainModules(modules.at(release), ['eth']), rows: () => rows }),
});
