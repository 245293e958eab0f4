/** Requests over kept connections, as many at a time as asked. */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get, type RequestOptions, request as send } from 'node:http';

/** Requests a second over `seconds`, `concurrency` under way at a time. */
export async function requestsPerSecond(
  url: string,
  concurrency: number,
  seconds: number,
  how: RequestOptions = {},
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < until) {
      await fetchWhole(url, agent, how);
      done += 1;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  return (done * 1000) / (performance.now() - start);
}

/** Bytes of the answer's body. */
export function fetchWhole(url: string, agent?: Agent, how: RequestOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ...how, ...(agent && { agent }) }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 304) resolve(bytes);
        else reject(new Error(`status ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });
}

/** Milliseconds that each request took, `concurrency` under way at a time. @throws on any answer but 200 */
export async function latencies(
  url: string,
  bodies: readonly string[],
  concurrency: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const [left, took]: [string[], number[]] = [bodies.toReversed(), []];
  const worker = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      const start = performance.now();
      await post(url, body, agent);
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  return took;
}

function post(url: string, body: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', agent }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`status ${response.statusCode}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * Processor time of the threads of a process, in milliseconds; null if the system does not report it. That of
 * /proc/<pid>/stat is sampled at ticks, and a process whose timers wake with the ticks is charged too much.
 */
export function processorTime(pid: number): number | null {
  const threads = `/proc/${pid}/task`;
  try {
    const times = readdirSync(threads).map((one) => readFileSync(`${threads}/${one}/schedstat`, 'utf8'));
    return times.reduce((sum, time) => sum + Number(time.split(' ')[0]) / 1e6, 0);
  } catch {
    return null;
  }
}

/** Peak memory of a process, in MB; null if the system does not report it. */
export function peakMegabytes(pid: number): number | null {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match === null ? null : Number(match[1]) / 1024;
  } catch {
    return null;
  }
}
