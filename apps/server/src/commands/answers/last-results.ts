import type { Executor } from '../../platform/database/database.ts';
import { findLastResults } from '../data/invocation-queries.ts';

/** Result of a command on a device. */
export type CommandResult = Omit<Awaited<ReturnType<typeof findLastResults>>[number], 'deviceId'>;

/** The last finished commands of devices, newest first, in one statement. */
export async function lastResults(
  on: Executor,
  deviceIds: readonly string[],
  count: number,
): Promise<ReadonlyMap<string, readonly CommandResult[]>> {
  const rows = await findLastResults(on, deviceIds, count);
  return Map.groupBy(rows, ({ deviceId }) => deviceId);
}
