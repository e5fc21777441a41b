import type { Consequence } from '@deviceportal/contract/permissions';
import type { Executor } from '../platform/database/database.ts';
import { findCommand } from './data/command-definition-queries.ts';
import type { Runnable } from './run-policy.ts';

/** What a run that exists needed: its consequence is the one it was made with. */
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
