/** A thread that plays histories, one seed after the other, with its own clock. */

import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { openAnalytics } from '../../../src/audit-trail/archive/open-analytics.ts';
import { playScript, type Stage } from './play-script.ts';
import { Coverage } from './coverage.ts';

export type HistoryWorkerData = Pick<Stage, 'copy' | 'atOnce'>;

export interface PlayedHistories {
  readonly seed: number;
  /** Description of the first faults; empty without any. */
  readonly faults: string;
  readonly coverage: readonly string[];
}

const SHOWN_FAULTS = 3;
const analytics = openAnalytics();

parentPort?.on('message', (seed: number | null) => {
  if (seed === null) {
    parentPort?.close();
    void analytics[Symbol.asyncDispose]();
    return;
  }
  void play(seed).then((played) => parentPort?.postMessage(played));
});

async function play(seed: number): Promise<PlayedHistories> {
  const coverage = new Coverage();
  const stage = { ...(workerData as HistoryWorkerData), analytics, coverage };
  const faults = await playScript(seed, stage).catch((error: unknown) => [error]);
  const shown = faults.slice(0, SHOWN_FAULTS);
  return {
    seed,
    faults: shown.length === 0 ? '' : inspect(shown, { depth: 8 }),
    coverage: coverage.all,
  };
}
