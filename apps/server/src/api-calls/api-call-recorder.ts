import { isDataException } from '../platform/database/data-exception.ts';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import { newId } from '@deviceportal/contract/ids';
import type { Database } from '../platform/database/database.ts';
import { insertApiCalls } from './api-call-store.ts';

export interface ApiCallRecorder extends AsyncDisposable {
  /** Takes note of a finished call; never waits and never throws. */
  record(call: Omit<ApiCall, 'id'>): void;
}

const FLUSH_MS = 500;
/** Beyond this the oldest go: recording must not eat the memory when the database is away. */
const MOST_WAITING = 20_000;

/** Buffers calls and writes them in batches beside the requests. */
export function createApiCallRecorder(
  { database }: { database: Database },
  onError: (error: unknown) => void,
): ApiCallRecorder {
  let waiting: ApiCall[] = [];
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await insertApiCalls(database.orm, batch);
      } catch (error) {
        onError(error);
        // What the database takes for no value will never be one: without the batch the others get through.
        if (!isDataException(error)) waiting = [...batch, ...waiting].slice(-MOST_WAITING);
        return;
      }
    }
  };
  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    record(call) {
      waiting.push({ id: newId(), ...call });
      if (waiting.length > 2 * MOST_WAITING) waiting = waiting.slice(-MOST_WAITING);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
      // What came while the last batch was being written.
      await flush();
    },
  };
}
