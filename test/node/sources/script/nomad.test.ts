/** Jobs of Nomad as scripts. */
import { expect, test } from 'vitest';
import { scriptOfJob } from '../../../../src/node/sources/script/nomad.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { gravely } from '../../deployment/lint-folder.js';

/** A job with one task. */
const job = (task: string, network = 'port "rpc" { static = 8545 }') =>
  `job "n" {\n  group "g" {\n    network {\n      ${network}\n    }\n    task "geth" {\n${task}\n    }\n  }\n}\n`;
const image = 'image = "geth:1"';

test.each<[string, string, string | undefined, string]>([
  [
    'a container',
    `config { ${image}\nargs = ["--http", "a b"] }`,
    undefined,
    "'docker' 'run' 'geth:1' '--http' 'a b'",
  ],
  [
    'a port of the group',
    `config { ${image}\nports = ["rpc"] }`,
    undefined,
    "'docker' 'run' '-p' '8545:8545' 'geth:1'",
  ],
  [
    'a port of the container',
    `config { ${image}\nports = ["rpc"] }`,
    'port "rpc" { to = 8545 }',
    "'docker' 'run' '-p' '8545' 'geth:1'",
  ],
  [
    'a map of ports',
    `config { ${image}\nport_map { rpc = 8546 } }`,
    undefined,
    "'docker' 'run' '-p' '8545:8546' 'geth:1'",
  ],
  [
    'the ports of a bridge',
    `config { ${image} }`,
    'mode = "bridge"\nport "rpc" { static = 1 }',
    "'docker' 'run' '-p' '1:1' 'geth:1'",
  ],
  [
    'a network, an entrypoint, variables and volumes',
    `env { A = "b" }\nconfig { ${image}\nnetwork_mode = "host"\nentrypoint = ["sh", "-c"]\nvolumes = ["a:/b"] }`,
    undefined,
    "'docker' 'run' '--network' 'host' '-v' 'a:/b' '-e' 'A=b' '--entrypoint' 'sh' 'geth:1' '-c'",
  ],
  [
    'a program',
    'config {\ncommand = "geth" # x\nargs = ["--http", // y\n"--ws"]\n}',
    undefined,
    "'geth' '--http' '--ws'",
  ],
  [
    'what Nomad fills in',
    `config { ${image}\nargs = ["\${NOMAD_X}", var.y] }`,
    undefined,
    "'docker' 'run' 'geth:1' '?' '?'",
  ],
])('%s is a command', (_, task, network, expected) => {
  const text = scriptOfJob(Placed.at(new LineIndex('x.nomad', job(task, network)))).text;
  expect(text.replaceAll('\uFDD0', '?').trim()).toBe(expected);
});

test('a start in a job is judged at its place, and a map or a heredoc is no task', async () => {
  const args = 'args = ["--http", "--http.addr=0.0.0.0", "--http.api=eth,admin"]';
  const meta = 'meta = { a = "}" }\ntemplate { data = <<EOH\n}\nEOH\n}\n';
  const text = job(
    `${meta}config {\n  image = "ethereum/client-go:v1.13.14"\n  ports = ["rpc"]\n  ${args}\n}`,
  );
  expect(await gravely({ 'n.nomad': text })).toBe('critical at n.nomad:15\nexit 1');
});
