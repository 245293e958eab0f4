/** Programs that run a command in an environment of their own making. */
import { expect, test } from 'vitest';
import { kinds } from '../../../../src/node/kinds/index.js';
import { Follower } from '../../../../src/node/sources/script/follow.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';

/** The words of the node that a line starts, and the variables it is given. */
function read(line: string, files: Readonly<Record<string, string>> = {}) {
  const open = (path: string) => {
    const text = files[path];
    return text === undefined ? null : Placed.at(new LineIndex(path, text));
  };
  const follower = new Follower({ kinds, steps: new Steps(), open });
  follower.follow(Placed.at(new LineIndex('run.sh', `${line}\n`)), new Map(), { folder: '.' });
  return follower.starts.map(({ words, exported }) => ({
    words: words?.map(({ text }) => text),
    given: Object.fromEntries(
      [...exported].map(([name, one]) => [name, one.value?.text ?? one.indeterminate]),
    ),
  }));
}

test.each([
  ['doppler run -- ken --rpc', 'doppler run --'],
  ['doppler run --project x ken --rpc', 'doppler run --project x'],
  ["doppler run --command='ken --rpc'", 'doppler run'],
  ['op run --env-file=prod.env -- ken --rpc', 'op run --env-file=prod.env --'],
  ["sops exec-env prod.enc.yaml 'ken --rpc'", 'sops exec-env prod.enc.yaml'],
  ['chamber exec kaia -- ken --rpc', 'chamber exec kaia --'],
  ['chamber exec kaia other -- ken --rpc', 'chamber exec kaia other --'],
  ['envdir /etc/kaia ken --rpc', 'envdir /etc/kaia'],
  ['chpst -e /etc/kaia ken --rpc', 'chpst -e'],
  ['direnv exec /opt/kaia ken --rpc', 'direnv exec /opt/kaia'],
  ['infisical run --env=prod -- ken --rpc', 'infisical run --env=prod --'],
  ['aws-vault exec prod -- ken --rpc', 'aws-vault exec prod --'],
  ['teller run -- ken --rpc', 'teller run --'],
  ['vals exec -f vals.yaml -- ken --rpc', 'vals exec -f vals.yaml --'],
  ['with-contenv ken --rpc', 'with-contenv'],
  ['sudo doppler run -- nohup ken --rpc', 'doppler run --'],
  ['doppler run -- sudo ken --rpc', 'doppler run --'],
  ['dotenv -f other.env run -- ken --rpc', 'dotenv -f other.env run --'],
  ['dotenv ken --rpc', 'dotenv'],
  ['npx dotenv -e .env -- ken --rpc', 'dotenv -e .env --'],
  ['env $(cat .env) ken --rpc', 'env $(…)'],
  ['env -S "$(cat .env)" ken --rpc', 'env -S'],
])('%s may set any variable', (line, runner) => {
  expect(read(line)).toEqual([{ words: ['--rpc'], given: { '*': `${runner} (run.sh:1)` } }]);
});

const file = { '.env': '# of ken\nKAIA_WS=true\nKAIA_WSAPI="eth,admin" # all\n' };

test.each(['dotenv ken', 'dotenv run ken', 'dotenv -f .env run -- ken', 'npx dotenv -e .env -- ken'])(
  '%s gives the variables of the file',
  (line) => {
    expect(read(line, file)).toEqual([{ words: [], given: { KAIA_WS: 'true', KAIA_WSAPI: 'eth,admin' } }]);
  },
);

test('a variable of both the file and the environment is unknown', () => {
  const [started] = read('export KAIA_WS=false\ndotenv ken', file);
  expect(started?.given).toMatchObject({ KAIA_WS: 'both the environment and a file set it' });
});

test('a script that a runner starts passes the environment on', () => {
  const [started] = read('doppler run -- ./start.sh', { 'start.sh': '#!/bin/sh\nexec ken --ws\n' });
  expect(started).toEqual({ words: ['--ws'], given: { '*': 'doppler run -- (run.sh:1)' } });
});

test.each([
  '. /lib/lsb/init-functions',
  '. /etc/os-release',
  'eval set -- "$(getopt -o h -- "$@")"',
  'eval "$(ssh-agent -s)"',
  'trap cleanup EXIT',
  'shopt -s extglob',
  'export PATH="$HOME/bin:$PATH"',
  'X=$(cat .env)',
  '$SUDO systemctl stop other',
])('%s sets no variable of a node', (line) => {
  expect(read(`${line}\nken --ws`)[0]?.given).not.toHaveProperty('*');
});
