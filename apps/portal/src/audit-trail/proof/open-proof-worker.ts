// oxlint-disable-next-line import/default -- a URL that the bundler creates
import workerUrl from './audit-proof-worker.ts?worker&url';
import type { ProofAnswers, ToProofWorker } from './proof-messages.ts';

export interface ProofWorker extends Disposable {
  /** Sends one request at a time. */
  readonly ask: <Kind extends ToProofWorker['kind']>(
    question: Extract<ToProofWorker, { kind: Kind }>,
  ) => Promise<ProofAnswers[Kind]>;
}

/** A worker for one check. Disposing it terminates the worker, even during a check. */
export function openProofWorker(): ProofWorker {
  const worker = new Worker(workerUrl, { type: 'module' });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        worker.addEventListener(
          'message',
          ({ data }: MessageEvent<{ result?: never; error?: string }>) => {
            if (data.error === undefined) resolve(data.result as never);
            else reject(new Error(data.error));
          },
          { once: true },
        );
        worker.addEventListener('error', () => reject(new Error('worker terminated')), {
          once: true,
        });
        worker.postMessage(question);
      }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
