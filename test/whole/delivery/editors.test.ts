/** docs/editors.md: Neovim with the settings of the page, and the settings of other editors. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTOML } from 'toml-eslint-parser';
import { afterAll, expect, test } from 'vitest';
import { installed } from '../../node/report/tools.js';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-editors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(root, 'docs/editors.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text]) => text ?? '');

mkdirSync(join(folder, 'bin'));
writeFileSync(
  join(folder, 'bin/kaiactl'),
  `#!/bin/sh\nexec "${process.execPath}" "${root}bin/kaiactl.js" "$@"\n`,
);
chmodSync(join(folder, 'bin/kaiactl'), 0o755);

/** Types a module into the list of http, takes the first quick fix, and prints what the person sees. */
const person = `
local function diagnosed(what)
  local function has()
    for _, one in ipairs(vim.diagnostic.get(0)) do if one.code == what then return one end end
  end
  vim.wait(40000, has, 20)
  return has() or { message = 'none', lnum = 0, col = 0 }
end
local keys = function(text) vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), 'xt', false) end
diagnosed('public-bind')
vim.api.nvim_win_set_cursor(0, { 3, 9 })
keys('ci"klay,personal<Esc>')
local found = diagnosed('privileged-module')
local seen = { message = found.message, lnum = found.lnum, col = found.col, end_col = found.end_col, severity = found.severity }
local done = false
vim.ui.select = function(items, options, choose)
  seen.titles = vim.tbl_map(options.format_item, items)
  choose(items[1], 1)
  done = true
end
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col + 2 })
keys('gra')
vim.wait(40000, function() return done and vim.fn.search('RPC_API="klay"', 'nw') > 0 end, 20)
seen.text = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
io.stdout:write(vim.fn.json_encode(seen))
vim.cmd('qall!')
`;

test.skipIf(!installed('nvim', 'the language server in Neovim'))(
  'Neovim underlines a module while it is typed, and one key removes it',
  () => {
    const conf =
      'NETWORK="mainnet"\nRPC_ENABLE=1\nRPC_API="klay,eth"\nRPC_ADDR=0.0.0.0\nDATA_DIR=/var/kend\n';
    writeFileSync(join(folder, 'kend.conf'), conf);
    const { stdout: version } = spawnSync('nvim', ['--version'], { encoding: 'utf8' });
    const [, minor = '0'] = /^NVIM v0\.(\d+)/.exec(version) ?? [];
    const [now = '', before = ''] = blocks('lua');
    writeFileSync(join(folder, 'init.lua'), Number(minor) < 11 ? before : now);
    writeFileSync(join(folder, 'person.lua'), person);
    const words = '--headless -n -i NONE -u init.lua kend.conf -c'.split(' ');
    const { stdout, stderr } = spawnSync('nvim', [...words, 'luafile person.lua'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 200_000,
      env: {
        ...process.env,
        PATH: `${folder}/bin:${process.env.PATH}`,
        HOME: folder,
        XDG_STATE_HOME: folder,
      },
    });
    expect(stderr).not.toContain('Error');
    expect(JSON.parse(stdout)).toEqual({
      message: expect.stringContaining('http offers personal: whoever calls it can import, unlock'),
      lnum: 2,
      col: 14,
      end_col: 22,
      severity: 1,
      titles: ['List only klay in RPC_API (unsafe: changes how the node starts)'],
      text: 'RPC_API="klay"',
    });
  },
);

test('the settings of the other editors parse, and all start kaiactl node lsp', () => {
  const [vscode = ''] = blocks('json');
  expect(JSON.parse(vscode)).toMatchObject({
    'glspc.server.command': 'kaiactl',
    'glspc.server.commandArguments': ['node', 'lsp'],
  });
  const [helix = ''] = blocks('toml');
  expect(() => parseTOML(helix)).not.toThrow();
  expect(helix).toContain('command = "kaiactl"\nargs = ["node", "lsp"]');
  expect(blocks('elisp')[0]).toContain('("kaiactl" "node" "lsp")');
  for (const lua of blocks('lua').slice(0, 2)) expect(lua).toContain("cmd = { 'kaiactl', 'node', 'lsp' }");
});
