import { expect, test } from 'vitest';
import { readDockerfile } from '../../../../src/node/sources/dockerfile/dockerfile.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { contextOf } from '../context.js';

test('a file without FROM yields no launch', () => {
  const read = readDockerfile(new LineIndex('Dockerfile', 'RUN ken --rpc\n'), contextOf());
  expect(read).toEqual({ launches: [], problems: [], notes: [] });
});
