import type { Database } from '../platform/database/database.ts';
import { withLock } from '../platform/database/connections/with-lock.ts';

/**
 * Runs a rotation exclusively among all servers and commands on this database.
 * @returns undefined while another rotation runs
 */
export const withRotationLock = <Result>(
  database: Pick<Database, 'pool'>,
  work: () => Promise<Result>,
): Promise<Result | undefined> => withLock(database, 'rotate-secrets', work);
