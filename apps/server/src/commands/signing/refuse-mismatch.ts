import { inTransaction } from '../../platform/database/database.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { AuthorizationMismatchError } from './authorization-mismatch-error.ts';
import { reportMismatch, type FoundMismatch } from './report-mismatch.ts';

/**
 * Runs work that signs stored rows. If they differ from what a user authorized, the mismatch is recorded and users are
 * notified.
 */
export async function refuseMismatch<Result>(
  { database, changes }: Pick<CommandsDeps, 'database' | 'changes'>,
  found: Omit<FoundMismatch, 'fault' | 'changed'>,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AuthorizationMismatchError)) throw error;
    const published = await inTransaction(database, (tx) =>
      reportMismatch(tx, { ...found, ...error.mismatch }),
    );
    changes.publish(published);
    throw error;
  }
}
