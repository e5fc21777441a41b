import type { Consequence } from '@deviceportal/contract/permissions';
import type { Executor } from '../platform/database/database.ts';
import { findCommand } from './data/command-definition-queries.ts';
import type { Runnable } from './run-policy.ts';

/** The permission requirements of an existing run, with the consequence stored in it. */
export async function runnableOf(
  executor: Executor,
  run: {
    readonly command: string;
    readonly documentName: string;
    readonly consequence: Consequence;
  },
): Promise<Runnable> {
  const entry = await findCommand(executor, run.command);
  return {
    command: run.command,
    consequence: run.consequence,
    ownDocument: entry?.documentName === run.documentName,
  };
}
