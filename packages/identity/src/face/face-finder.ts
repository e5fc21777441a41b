import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ProviderError } from '../provider/wire/provider-error.ts';
import type { FaceAnswer, FaceRequest } from './face-messages.ts';
import { faceRefusals } from './face-refusals.ts';

/** Finds the face in a photo. */
export interface FaceFinder extends AsyncDisposable {
  /**
   * @param photo a JPEG, PNG or BMP
   * @returns 128 numbers; see `faceDistance`
   * @throws ProviderError notConfigured, unreadablePhoto, noFace, severalFaces
   */
  describe(photo: Uint8Array): Promise<Float32Array>;
}

const ANSWER_MS = 60_000;
/** Idle time after which the models, which use a hundred megabytes, are unloaded. */
const IDLE_MS = 5 * 60_000;

/**
 * A single thread with the models, started by the first photo; photos are processed one at a time.
 * @param onError called if the thread could not start or exited
 */
export function createFaceFinder(onError: (error: unknown) => void): FaceFinder {
  let running: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  const stop = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    clearTimeout(idle);
    await ending?.then((worker) => worker.terminate()).catch(() => undefined);
  };
  const look = async (photo: Uint8Array): Promise<FaceAnswer> => {
    clearTimeout(idle);
    running ??= startWorker();
    try {
      return await ask(await running, { photo });
    } catch (error) {
      await stop();
      throw error;
    } finally {
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
    }
  };
  return {
    async describe(photo) {
      const looking = last.then(() => look(photo));
      last = looking.catch(() => undefined);
      const answer = await looking.catch((error: unknown) => {
        onError(error);
        throw new ProviderError(faceRefusals.notConfigured);
      });
      if (answer.kind === 'refused') throw new ProviderError(faceRefusals[answer.why]);
      return answer.descriptor;
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL('face-worker.ts', import.meta.url), { stdout: true });
  worker.unref();
  await Promise.race([
    once(worker, 'message', { signal: AbortSignal.timeout(ANSWER_MS) }),
    once(worker, 'exit').then(() => {
      throw new Error('face recognition thread exited during startup');
    }),
  ]);
  worker.on('error', () => undefined);
  return worker;
}

async function ask(worker: Worker, request: FaceRequest): Promise<FaceAnswer> {
  const answered = once(worker, 'message', { signal: AbortSignal.timeout(ANSWER_MS) });
  worker.postMessage(request);
  const [answer] = (await answered) as [FaceAnswer];
  return answer;
}
