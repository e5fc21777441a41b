import { Worker } from 'node:worker_threads';
import type { Analytics } from './analytics.ts';
import type { AnalyticsAnswer, AnalyticsQuestion } from './analytics-worker.ts';

interface Waiting {
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/** DuckDB in a worker thread, which starts with the first query. */
export function openAnalytics(): Analytics {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();
  const end = (error: Error): void => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('analytics-worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, rows, error }: AnalyticsAnswer) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve([...(rows ?? [])] as never[]);
      else asked?.reject(new Error(`analytics: ${error}`));
    });
    started.on('error', end);
    started.on('exit', () => end(new Error('analytics ended')));
    return started;
  };
  return {
    query: async (sql, values = [], signal) => {
      signal?.throwIfAborted();
      worker ??= start();
      const { postMessage } = worker;
      const ask = (question: AnalyticsQuestion): void => postMessage.call(worker, question);
      const id = (lastId += 1);
      const stop = (): void => {
        waiting.get(id)?.reject(signal?.reason);
        waiting.delete(id);
        if (worker !== undefined) ask({ id, sql: null, values: [] });
      };
      signal?.addEventListener('abort', stop, { once: true });
      try {
        return await new Promise<never[]>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          ask({ id, sql, values });
        });
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate();
    },
  };
}
