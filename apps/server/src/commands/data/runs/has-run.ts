import type { Executor } from '../../../platform/database/database.ts';
import { commandRun } from '../commands-tables.ts';

/** Whether any command has ever been run. */
export async function hasRun(on: Executor): Promise<boolean> {
  const rows = await on.select({ id: commandRun.id }).from(commandRun).limit(1);
  return rows.length > 0;
}
