import type { ApiCall } from '@deviceportal/contract/api-calls';
import { newId } from '@deviceportal/contract/ids';
import { isDataException } from '../platform/database/data-exception.ts';
import type { Database } from '../platform/database/database.ts';
import { openApiCallJournal } from './api-call-journal.ts';
import { insertApiCalls } from './data/insert-api-calls.ts';

export interface ApiCallRecorder extends AsyncDisposable {
  /** Takes note of a finished call; never waits and never throws. */
  record(call: Omit<ApiCall, 'id'>): void;
}

export interface ApiCallRecorderDeps {
  readonly database: Database;
  /** Where calls wait for the database; they outlive the server there. */
  readonly journalDir: string;
}

const FLUSH_MS = 500;
/** A day without the database, twice a second; beyond that the oldest go rather than fill the disk. */
const MOST_FILES = 172_800;

/** Keeps calls in a journal and writes them to the database in batches, beside the requests. */
export function createApiCallRecorder(
  { database, journalDir }: ApiCallRecorderDeps,
  onError: (error: unknown) => void,
): ApiCallRecorder {
  const journal = openApiCallJournal(journalDir);
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    const files = journal.listClosed();
    for (const file of files.slice(0, -MOST_FILES)) await journal.remove(file);
    for (const file of files.slice(-MOST_FILES)) {
      try {
        await insertApiCalls(database.orm, await journal.read(file));
      } catch (error) {
        onError(error);
        // What the database takes for no value will never be one: without the batch the others get through.
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
      // What came while the last batch was being written.
      await flush();
      journal[Symbol.dispose]();
    },
  };
}
