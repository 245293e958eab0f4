/** The progress of a batch: a bar or lines on stderr, and a file for other programs. */
import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { failure } from '../../errors.js';
import { type Progress, progress } from '../../terminal/progress.js';
import { recentRate } from '../../util/recent-rate.js';
import { grouped } from '../../util/words.js';
import type { Run } from './batch-run.js';

export interface BatchProgress {
  /** Starts to show progress towards `total` joins. @throws {KaiactlError} if the file cannot be written (exit 2) */
  begin(total: number): void;
  update(): void;
  end(state: 'submitted' | 'stopped' | 'interrupted'): void;
}

interface Counts {
  readonly done: number;
  readonly faults: number;
}

const betweenWritesMs = 2_000;

/** Shows what `counts` returns. The file (--progress) is replaced every two seconds while the batch runs. */
export function batchProgress({ options, tools, terms, wait }: Run, counts: () => Counts): BatchProgress {
  const path = options.progress === undefined ? null : resolve(tools.host.cwd, options.progress);
  const rate = recentRate(wait.now());
  let total = 0;
  let shown: Progress | null = null;
  let timer: NodeJS.Timeout | undefined;
  const write = (state: string): void => {
    if (path === null) return;
    const { done, faults } = counts();
    const perSecond = Math.round(10 * rate(done, wait.now())) / 10;
    const secondsLeft = done === total ? 0 : state === 'running' ? secondsFor(total - done, perSecond) : null;
    const at = new Date(tools.host.now()).toISOString();
    const report = { survey: terms.survey, at, state, total, done, faults, perSecond, secondsLeft };
    // A reader never sees half a file.
    writeFileSync(`${path}.part`, `${JSON.stringify(report)}\n`);
    renameSync(`${path}.part`, path);
  };
  return {
    begin(count) {
      total = count;
      const { host } = tools;
      const faultsText = () => {
        const { faults } = counts();
        return faults === 0 ? '' : `, ${grouped(faults)} ${faults === 1 ? 'fault' : 'faults'}`;
      };
      shown = progress(total, 'joins', host, options.quiet, faultsText);
      try {
        write('running');
      } catch (error) {
        throw failure(`cannot write the progress file ${path}`, error);
      }
      timer = setInterval(() => quietly(() => write('running')), betweenWritesMs).unref();
    },
    update: () => shown?.update(counts().done),
    end(state) {
      clearInterval(timer);
      shown?.end();
      quietly(() => write(state));
    },
  };
}

function secondsFor(joins: number, perSecond: number): number | null {
  return perSecond === 0 ? null : Math.ceil(joins / perSecond);
}

/** After the start, the file is best effort: a full disk does not end a batch. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The next write tries again.
  }
}
