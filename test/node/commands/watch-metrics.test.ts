import { expect, test } from 'vitest';
import { serveMetrics } from '../../../src/node/commands/watch.js';
import { healthReply } from '../../../src/node/commands/watch-listener.js';
import { selfMetrics } from '../../../src/node/commands/watch-metrics.js';
import { installed, metricProblems } from '../report/tools.js';

installed('promtool', 'the metrics of a watch itself against promtool');

test('a watch serves its build, its process, a health check and an index beside its metrics', async () => {
  const port = await serveMetrics('127.0.0.1:0', () => 'kaiactl_x 1\n');
  const get = async (path: string) => {
    const response = await fetch(new URL(path, port.url));
    return [response.status, await response.text()] as const;
  };
  try {
    const [status, text] = await get('/metrics');
    expect([status, text.startsWith('kaiactl_x 1\n')]).toEqual([200, true]);
    expect(metricProblems(await selfMetrics()())).toBe('');
    expect(text).toMatch(/^kaiactl_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(await get('/-/healthy')).toEqual([200, 'kaiactl is running.\n']);
    expect(await get('/')).toEqual([200, expect.stringMatching(/^kaiactl \S+\n\/metrics\n\/-\/healthy\n$/)]);
    expect((await get('/other'))[0]).toBe(404);
  } finally {
    await port.close();
  }
  expect(healthReply('/metrics', [])).toBeNull();
});
