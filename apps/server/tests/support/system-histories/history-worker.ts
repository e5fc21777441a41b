/** A thread that plays histories, one seed after the other: it has its own clock. */

import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { openAnalytics } from '../../../src/audit-trail/archive/open-analytics.ts';
import { playScript, type Stage } from './play-script.ts';
import { Reached } from './reached.ts';

export type HistoryWorkerData = Pick<Stage, 'copy' | 'atOnce'>;

export interface PlayedHistories {
  readonly seed: number;
  /** Of the first faults, as a person reads them; empty without any. */
  readonly faults: string;
  readonly reached: readonly string[];
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
  const reached = new Reached();
  const stage = { ...(workerData as HistoryWorkerData), analytics, reached };
  const faults = await playScript(seed, stage).catch((error: unknown) => [error]);
  const shown = faults.slice(0, SHOWN_FAULTS);
  return {
    seed,
    faults: shown.length === 0 ? '' : inspect(shown, { depth: 8 }),
    reached: reached.all,
  };
}
