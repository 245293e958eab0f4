import { expect, test } from 'vitest';
import { exampleText } from '../../../src/node/commands/rule-example.js';
import { openQuestions } from '../../../src/node/commands/rule-named.js';
import { ledgerRules } from '../../../src/node/facts/sign.js';
import { rules } from '../../../src/node/rules/index.js';
import { exampleFacts } from '../editables.js';
import { run } from '../offline.js';

test('without a rule, explain lists every rule once, the most severe first', async () => {
  const { code, out } = await run(['node', 'explain']);
  expect(code).toBe(0);
  for (const { id } of rules) expect(out.match(new RegExp(`^\\w+ +${id} `, 'gm'))).toHaveLength(1);
  const order = [...out.matchAll(/^(critical|high|medium|low|info) /gm)].map((match) => match[1]);
  expect(order).toEqual(
    ['critical', 'high', 'medium', 'low', 'info'].flatMap((one) => order.filter((it) => it === one)),
  );
});

test('explain shows why a rule matters, its fix, and its example with the finding', async () => {
  expect((await run(['node', 'explain', 'wildcard-cors'])).out).toMatchInlineSnapshot(`
    "wildcard-cors · at most critical
    Any web page can call the node from a visitor’s browser.

    why      The node accepts only JSON content types, so a foreign page needs a
             successful preflight before it can call the node, and CORS * grants
             every preflight. Any page that a user inside the network opens can then
             call every module that http offers, through firewalls and on loopback.
             The severity is low where any address reaches the interface anyway;
             otherwise it follows from the most dangerous module offered. The entry
             null and patterns such as *example.com also let any page in.

    fix      List the origins of the applications that need access, or leave the
             list empty to allow no browser access.

    ignore   If every web page may call every module that http offers.

    bad      RPC_ENABLE=1
             RPC_API="klay,eth"
             RPC_CORSDOMAIN="*"
             NETWORK="mainnet"
             DATA_DIR=/srv/kend

    kend.conf · kend (tar) · kaia v0.9.0 to v2.2.1 · http on 127.0.0.1: this machine
      reaches it · any web page (RPC_CORSDOMAIN)

    medium   wildcard-cors        RPC_CORSDOMAIN is *: any web page that a user
                     opens can call the node; without it, this machine reaches it
                     (127.0.0.1).
             kend.conf:3:17   RPC_CORSDOMAIN="*"
                                              ^
             fix     List in RPC_CORSDOMAIN only the entries that clients need.
                     RPC_CORSDOMAIN=""

    good     RPC_ENABLE=1
             RPC_API="klay,eth"
             RPC_CORSDOMAIN="https://app.example"
             NETWORK="mainnet"
             DATA_DIR=/srv/kend

    suppress # kaiactl-ignore wildcard-cors reason="…"    (on the line or the line
             above)

    sources
      https://github.com/kaiachain/kaia/blob/v2.2.1/networks/rpc/http.go
      https://fetch.spec.whatwg.org/#http-cors-protocol
    "
  `);
});

test('every rule has a page, and its bad example is reported on it', async () => {
  for (const { id } of rules) {
    const { code, out } = await run(['node', 'explain', id]);
    expect(code).toBe(0);
    expect(out, id).toMatch(new RegExp(`^(critical|high|medium|low|info) +${id} `, 'm'));
    expect(out.split('\n')[0]).toContain(id);
  }
});

test('--format json prints one rule or all rules', async () => {
  const one = JSON.parse((await run(['node', 'explain', 'public-bind', '--format', 'json'])).out) as {
    id: string;
  };
  expect(one).toMatchObject({ id: 'public-bind', severity: 'medium', aliases: [], on: 'exposure' });
  const all = JSON.parse((await run(['node', 'explain', '--format', 'json'])).out) as unknown[];
  expect(all).toHaveLength(rules.length);
  const [{ title, why, fix, ignore, sources, examples } = {}] = rules as readonly Partial<
    (typeof rules)[number]
  >[];
  expect(all[0]).toMatchObject(JSON.parse(JSON.stringify({ title, why, fix, ignore, sources, examples })));
});

test('a rule that does not exist ends with 2 and the nearest name', async () => {
  expect(await run(['node', 'explain', 'wildcard-cor'])).toEqual({
    code: 2,
    out: '',
    err: 'kaiactl: there is no rule wildcard-cor\n  Did you mean wildcard-cors?\n',
  });
});

test('a rule about a flag of some releases names them', async () => {
  expect((await run(['node', 'explain', 'unsafe-debug'])).out).toMatch(
    /^release {2}--rpc\.unsafe-debug\.disable from klaytn v1\.10\.0$/m,
  );
  const { out } = await run(['node', 'explain', 'second-source', '--format', 'json']);
  expect(JSON.parse(out)).toMatchObject({ releases: ['--conf from klaytn v1.9.1'] });
});

test.each(ledgerRules)('the open question %s has a page and a document', async (id) => {
  const { title, why, fix, sources } = openQuestions[id];
  const words = (text: string) => text.split(/\s+/).join(' ');
  const { code, out } = await run(['node', 'explain', id]);
  expect(code).toBe(0);
  expect(words(out)).toBe(
    words(`${id} · undetermined\n${title}\n\nwhy ${why}\n\nfix ${fix}\n\nsources ${sources.join(' ')}\n`),
  );
  expect(out.match(/\n\n(?:why {6}\S|fix {6}\S|sources\n {2}\S)/g)).toHaveLength(3);
  for (const [columns, limit] of [
    [60, 60],
    [400, 160],
  ] as const) {
    const lines = (await run(['node', 'explain', id], { columns })).out.split('\n');
    const longest = Math.max(...lines.map((line) => line.length));
    expect([longest <= limit, longest > limit - 25]).toEqual([true, true]);
  }
  const json = await run(['node', 'explain', id, '--format', 'json']);
  expect(JSON.parse(json.out)).toEqual({ id, title, why, fix, sources });
});

test('a page shows each example, its findings and its other names in their places', async () => {
  const { out } = await run(['node', 'explain', 'wildcard-cors']);
  const [head = '', ...parts] = out.split('\n\n');
  expect(head).toBe(
    'wildcard-cors · at most critical\nAny web page can call the node from a visitor’s browser.',
  );
  expect(parts.map((part) => part.split(/ |\n/, 1)[0])).toEqual([
    'why',
    'fix',
    'ignore',
    'bad',
    'kend.conf',
    'medium',
    'good',
    'suppress',
    'sources',
  ]);
  expect(parts[3]).toBe(
    'bad      RPC_ENABLE=1\n         RPC_API="klay,eth"\n         RPC_CORSDOMAIN="*"\n         NETWORK="mainnet"\n         DATA_DIR=/srv/kend',
  );
  expect(parts[7]).toBe(
    'suppress # kaiactl-ignore wildcard-cors reason="…"    (on the line or the line\n         above)',
  );
  const perModule = await run(['node', 'explain', 'privileged-module']);
  expect(perModule.out).toContain('# kaiactl-ignore privileged-module(<module>) reason="…"');
  const [aliased] = rules.filter(({ aliases }) => aliases !== undefined);
  if (aliased !== undefined)
    expect((await run(['node', 'explain', aliased.id])).out).toContain(
      `\n\nalso     ${aliased.aliases?.join(', ')}\n`,
    );
});

test('the table has a column for titles, or a line for each on a narrow terminal', async () => {
  const table = async (columns: number) => (await run(['node', 'explain'], { columns })).out.split('\n');
  const row = (lines: readonly string[]) => lines.findIndex((line) => / wildcard-cors\b/.test(line));
  const wide = await table(60);
  expect(wide[row(wide)]).toMatch(/^critical {2}wildcard-cors {11}Any web page/);
  const small = await table(59);
  expect(small.slice(row(small), row(small) + 2)).toEqual([
    'critical  wildcard-cors',
    '  Any web page can call the node from a visitor’s browser.',
  ]);
  const [wider, widest] = [await table(160), await table(400)];
  expect(widest).toEqual(wider);
  expect(wider.slice(-5)).toEqual([
    '',
    'Severities are those of an interface that any address reaches. A narrower reach lowers them.',
    expect.stringMatching(/^Read from the source, not seen running: .*erigon node/),
    'kaiactl node explain <rule>',
    '',
  ]);
});

test('with colour the severities are painted', async () => {
  const painted = async (...words: string[]) =>
    (await run(['node', 'explain', ...words, '--color', 'always'])).out.replaceAll('\u001b', '^');
  expect(await painted()).toMatch(/^(?:\^\[\d+m)+critical(?:\^\[\d+m)+ {2}\S/m);
  expect(await painted('wildcard-cors')).toMatch(/^wildcard-cors · at most (?:\^\[\d+m)+critical\^/);
});

test.each<[Parameters<typeof exampleText>[0], string]>([
  [{ conf: 'A=1\n' }, 'A=1\n'],
  [{ command: 'ken --rpc' }, 'ken --rpc'],
  [{ command: 'ken --rpc', release: 'v1.9.0' }, 'ken --rpc    (v1.9.0)'],
])('the example %j is shown as %j', (example, text) => {
  expect(exampleText(example)).toBe(text);
});

test('the facts of an example have its launcher, package, mode and role, and of a command line its words', () => {
  const settings = (example: Parameters<typeof exampleFacts>[0]) => {
    const facts = exampleFacts(example);
    if (facts.conf?.state !== 'seen') throw new Error('no conf');
    const { launcher, package: from, source } = facts.conf.value.settings;
    return { name: facts.name, role: facts.role, launcher, from, mode: source.file?.mode };
  };
  const kend = { name: 'kend.conf', role: null, launcher: 'kend', from: 'tar', mode: undefined };
  expect(settings({ conf: 'A=1\n' })).toEqual(kend);
  expect(
    settings({ conf: 'A=1\n', launcher: 'kcnd', package: 'rpm', mode: 0o640, role: 'validator' }),
  ).toEqual({
    name: 'kcnd.conf',
    role: 'validator',
    launcher: 'kcnd',
    from: 'rpm',
    mode: 0o640,
  });
  const command = exampleFacts({ command: 'KAIA_WS=1 KAIA_X=a=b ken --rpc  --rpcapi=eth' });
  expect(command).toMatchObject({
    name: 'command line',
    conf: { value: { settings: { source: { kind: 'command line' } } } },
  });
  const values = command.conf?.state === 'seen' ? command.conf.value.settings.values : {};
  expect([values.rpc?.value, values.rpcapi?.value, values.ws?.value]).toEqual([true, 'eth', true]);
  expect(() => exampleFacts({ command: 'A=1 vim --rpc' })).toThrow(
    'no kind of node has a program for: A=1 vim --rpc',
  );
});
