/** `kaiactl node modules` against servers nobody here wrote, and against odd ones. */
import { afterEach, expect, test } from 'vitest';
import { describeAnvil, describeGanache } from '../../peers/real.js';
import { closePeers, scripted } from '../../peers/scripted.js';
import { kaiactl } from '../live.js';

afterEach(closePeers);

describeGanache((peer) => {
  test.each(['http', 'ws'] as const)('lists its modules over %s', async (wire) => {
    const { code, stdout, stderr } = await kaiactl(['node', 'modules', peer()[wire]]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^eth 1\.0$/m);
    expect(stdout).toMatch(/^rpc 1\.0$/m);
    const json = await kaiactl(['node', 'modules', peer()[wire], '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      endpoint: peer()[wire],
      modules: { eth: '1.0', rpc: '1.0' },
    });
  });
});

describeAnvil((peer) => {
  test.each(['http', 'ws', 'ipc'] as const)(
    'has no rpc_modules over %s, which is reported with exit code 3',
    async (wire) => {
      const { code, stdout, stderr } = await kaiactl(['node', 'modules', peer()[wire] ?? '']);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(/did not show its modules: rpc_modules answered error -3260[12]/);
    },
  );
});

test('control characters in a module name are not printed', async () => {
  const peer = await scripted('http', (text) => {
    const { id } = JSON.parse(text) as { id: number };
    return JSON.stringify({ jsonrpc: '2.0', id, result: { '\u001b[2Jeth\u202e': '1.0' } });
  });
  const { code, stdout, stderr } = await kaiactl(['node', 'modules', peer.address, '--format', 'json']);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    modules: null,
    reason: expect.stringContaining('\\u{1b}[2Jeth\\u{202e}'),
  });
  expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/);
});

test.each([
  [['node', 'modules', 'ftp://x'], /not a way to reach a node/],
  [['node', 'modules', 'http://127.0.0.1:1', '--timeout', 'soon'], /not a time/],
  [['node', 'modules', 'http://127.0.0.1:1', '--header', 'x'], /Name: value/],
])('%s is a wrong invocation', async (argv, said) => {
  const { code, stderr } = await kaiactl(argv);
  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});
