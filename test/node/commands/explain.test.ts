import { expect, test } from 'vitest';
import { rules } from '../../../src/node/rules/index.js';
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
      reaches it

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
