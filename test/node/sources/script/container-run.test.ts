/** The words of `docker run`: which are options, which is the image, and which run in the container. */
import { expect, test } from 'vitest';
import {
  commandOf,
  containerName,
  containerRun,
  mountsOf,
} from '../../../../src/node/sources/script/container-run.js';
import { containerOf } from '../../../../src/node/sources/script/networks.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { splitWords } from '../../../../src/node/sources/text/words.js';

const script = (text: string) => new LineIndex('start.sh', text);
const runOf = (text: string) => containerRun(splitWords(Placed.at(script(text))));

test.each<[string, { image: string; command: string; name?: string; ports?: string[]; mounts?: string[] }]>([
  ['docker run img ken --rpc', { image: 'img', command: 'ken --rpc' }],
  ['docker container run -dit --rm img ken', { image: 'img', command: 'ken' }],
  ['docker -H tcp://h run --name en img', { image: 'img', command: '', name: 'en' }],
  ['podman run --entrypoint ken img --rpc', { image: 'img', command: 'ken --rpc' }],
  ['docker run --entrypoint=ken img', { image: 'img', command: 'ken' }],
  ['docker run -p8551:8551 img', { image: 'img', command: '', ports: ['0.0.0.0:8551'] }],
  ['docker run -itp 127.0.0.1:1:8551 img', { image: 'img', command: '', ports: ['127.0.0.1:1'] }],
  ['docker run --publish=8551 img x', { image: 'img', command: 'x', ports: ['0.0.0.0:?'] }],
  ['docker run -P img', { image: 'img', command: '', ports: ['0.0.0.0:?'] }],
  ['docker run -v ./a:/b:ro img', { image: 'img', command: '', mounts: ['/b a'] }],
  ['docker run --mount type=bind,src=/a,dst=/b img', { image: 'img', command: '', mounts: ['/b /a'] }],
  ['docker run --mount type=tmpfs,dst=/b img', { image: 'img', command: '', mounts: [] }],
  ['docker run -u 0 --gpus all img ken', { image: 'img', command: 'ken' }],
])('%s', (text, { image, command, name = null, ports = [], mounts = [] }) => {
  const run = runOf(text);
  if (run === null) throw new Error('no container');
  expect(run.image.text).toBe(image);
  expect(
    commandOf(run)
      .map((word) => word.text)
      .join(' '),
  ).toBe(command);
  expect(containerName(run)).toBe(name);
  const published = containerOf(run, [])?.published.map(({ host, port }) => `${host}:${port ?? '?'}`);
  expect(published).toEqual(ports);
  const mounted = mountsOf(run, script(text)).map(
    ({ target, source }) => `${target} ${'path' in source ? source.path : '?'}`,
  );
  expect(mounted).toEqual(mounts);
});

test.each([
  'docker ps',
  'docker compose run en ken',
  'docker build -t run .',
  'docker exec en ken attach',
  'docker run -d',
])('%s runs no container of its own', (text) => {
  expect(runOf(text)).toBeNull();
});

test.each<[string, unknown]>([
  ['docker run --network host img', null],
  ['docker run --net=none img', { published: [], network: null }],
])('%s', (text, expected) => {
  expect(containerOf(runOf(text) as NonNullable<ReturnType<typeof runOf>>, [])).toEqual(expected);
});
