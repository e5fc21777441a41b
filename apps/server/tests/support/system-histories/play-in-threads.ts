import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { HistoryWorkerData, PlayedHistories } from './history-worker.ts';

/** The number of cores of CI machines. */
const THREADS = 2;

/** Plays each seed in one of several threads, and stops at the first fault. */
export async function playInThreads(
  seeds: readonly number[],
  workerData: HistoryWorkerData,
): Promise<readonly PlayedHistories[]> {
  const waiting = [...seeds];
  const played: PlayedHistories[] = [];
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('history-worker.ts', import.meta.url), { workerData });
    try {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        worker.postMessage(seed);
        const [histories] = (await once(worker, 'message')) as [PlayedHistories];
        played.push(histories);
        if (histories.faults !== '') waiting.length = 0;
      }
      worker.postMessage(null);
      await once(worker, 'exit');
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(THREADS, seeds.length) }, work));
  return played;
}
