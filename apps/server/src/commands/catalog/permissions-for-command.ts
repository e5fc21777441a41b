import { consequences, type Permission } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { findCommand } from '../data/command-definition-queries.ts';
import { resolveCommand } from './resolve-command.ts';
import { permissionsToRun } from '../run-policy.ts';

/**
 * The permissions of which any one allows a catalog command with its own document, by the policy that decides about
 * a run. A command without a document of its own runs those of any class that one may.
 * @throws PortalError 4002
 */
export async function permissionsForCommand(
  executor: Executor,
  command: string,
): Promise<readonly Permission[]> {
  const entry = await findCommand(executor, command);
  if (entry !== undefined && entry.documentName === null) {
    return consequences.map((each) => `commands:run:@${each}` as const);
  }
  return permissionsToRun(await resolveCommand(executor, command, ''));
}
