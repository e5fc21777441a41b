import type { ApiCall } from '@deviceportal/contract/api-calls';
import { newId } from '@deviceportal/contract/ids';
import { isDataException } from '../platform/database/errors/data-exception.ts';
import { shareUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { openApiCallJournal } from './api-call-journal.ts';
import { insertApiCalls } from './data/insert-api-calls.ts';

export interface ApiCallRecorder extends AsyncDisposable {
  /** Records a finished call. Returns immediately and never throws. */
  record(call: Omit<ApiCall, 'id'>): void;
}

export interface ApiCallRecorderDeps {
  readonly database: Database;
  /** Directory of calls that are not in the database yet. It outlives the server. */
  readonly journalDir: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

const FLUSH_MS = 500;
/** One day of files at two per second. When the database is unavailable for longer, the oldest files are deleted. */
const MAX_FILES = 172_800;

/** Buffers API calls in a journal and writes them to the database in batches, asynchronously. */
export function createApiCallRecorder(
  { database, journalDir, ...options }: ApiCallRecorderDeps,
  onError: (error: unknown) => void,
): ApiCallRecorder {
  const journal = openApiCallJournal(journalDir, options);
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    const files = journal.listClosed();
    for (const file of files.slice(0, -MAX_FILES)) await journal.remove(file);
    for (const file of files.slice(-MAX_FILES)) {
      try {
        const calls = await journal.read(file);
        await inTransaction(database, async (tx) => {
          // Either the erasure of a user sees these calls, or they see the erasure.
          await shareUntilCommit(tx, 'user-erasure');
          await insertApiCalls(tx, calls);
        });
      } catch (error) {
        onError(error);
        // A batch with values that the database cannot store would fail again, so it is dropped.
        if (!isDataException(error)) return;
      }
      await journal.remove(file);
    }
  };
  const flush = (): Promise<void> => {
    writing ??= write()
      .catch(onError)
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    record(call) {
      try {
        journal.append(JSON.stringify({ id: newId(), ...call }));
      } catch (error) {
        onError(error);
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
      // Calls that were recorded while the last batch was written.
      await flush();
      journal[Symbol.dispose]();
    },
  };
}
