import { consequences, type Permission } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { findCommand } from '../data/command-definition-queries.ts';
import { resolveCommand } from './resolve-command.ts';
import { permissionsToRun } from '../run-policy.ts';

/**
 * Permissions that allow a catalog command with its default document; any one is sufficient. By the policy that
 * authorizes runs. A command without a default document runs documents of any consequence that the user is permitted.
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
