/** A process with the arguments of docker-proxy that forwards to the Unix socket of a container's node. */
import { connect, createServer } from 'node:net';

const [path, ...words] = process.argv.slice(2);
const wordAfter = (flag) => words[words.indexOf(flag) + 1];
createServer((client) => {
  const node = connect(path);
  for (const end of [client, node]) end.on('error', () => {});
  client.pipe(node).pipe(client);
}).listen(Number(wordAfter('-host-port')), wordAfter('-host-ip'), () => process.stdout.write('[]\n'));
