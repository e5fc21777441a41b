import type { WaitingApplication } from '@deviceportal/contract/device-grant';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { ApiTokensDeps } from '../api-tokens-deps.ts';
import { enterUserCode } from './enter-user-code.ts';

/**
 * The application that waits with a user code.
 * @throws PortalError 2004 for an unknown code; 1000 after too many
 */
export async function findApplication(
  { database, apiTokenMaxDays }: Pick<ApiTokensDeps, 'database' | 'apiTokenMaxDays'>,
  caller: Caller,
  { userCode }: { readonly userCode: string },
): Promise<WaitingApplication> {
  const entered = await inTransaction(database, (tx) => enterUserCode(tx, caller, userCode));
  if ('failure' in entered) throw entered.failure;
  const { clientId, address, requestedPermissions, createdAt, expiresAt } = entered;
  return {
    ...{ clientId, address, permissions: requestedPermissions },
    requestedAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    mostDays: apiTokenMaxDays,
  };
}
