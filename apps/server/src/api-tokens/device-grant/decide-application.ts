import type { ApplicationApproval } from '@deviceportal/contract/device-grant';
import type { PortalError } from '@deviceportal/contract/errors';
import { serializeAccessChange } from '../../access/serialize-access-change.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { ApiTokensDeps } from '../api-tokens-deps.ts';
import {
  decideAuthorization,
  type DeviceAuthorization,
} from '../data/device-authorization-queries.ts';
import { requirePersonalToken } from '../require-personal-token.ts';
import { enterUserCode } from './enter-user-code.ts';

/**
 * Approves the sign-in of an application: it can collect a personal token of the caller with these permissions, once. They
 * are checked now, and when the token is collected.
 * @throws PortalError as `findApplication`, and as `createPersonalToken`
 */
export async function approveApplication(
  deps: ApiTokensDeps,
  caller: Caller,
  { userCode, ...approved }: ApplicationApproval,
): Promise<void> {
  const failure = await serializeAccessChange(deps.database, async (tx) => {
    const entered = await enterUserCode(tx, caller, userCode);
    if ('failure' in entered) return entered.failure;
    const { subject } = caller.viewer;
    const { holder } = await requirePersonalToken(tx, deps, { subject, wanted: approved });
    await decideAuthorization(tx, entered.id, {
      ...{ state: 'approved', decidedById: holder.userId, approved },
    });
    await recordDecision(tx, caller, 'access.application-approved', {
      ...{ clientId: entered.clientId, apiToken: approved.name },
      ...{ permissions: approved.permissions, scope: approved.scope, days: approved.days },
    });
    return undefined;
  });
  if (failure !== undefined) throw failure;
}

/**
 * Denies the sign-in of an application.
 * @throws PortalError as `findApplication`
 */
export async function denyApplication(
  { database }: Pick<ApiTokensDeps, 'database'>,
  caller: Caller,
  { userCode }: { readonly userCode: string },
): Promise<void> {
  const failure = await inTransaction(database, async (tx): Promise<PortalError | undefined> => {
    const entered = await enterUserCode(tx, caller, userCode);
    if ('failure' in entered) return entered.failure;
    const decidedById = caller.viewer.userId;
    await decideAuthorization(tx, entered.id, { state: 'denied', decidedById });
    await recordDecision(tx, caller, 'access.application-denied', { clientId: entered.clientId });
    return undefined;
  });
  if (failure !== undefined) throw failure;
}

function recordDecision(
  tx: Transaction,
  caller: Caller,
  type: 'access.application-approved' | 'access.application-denied',
  data: Readonly<Record<string, unknown>> & Pick<DeviceAuthorization, 'clientId'>,
): Promise<void> {
  const actor = actorOf(caller.viewer, caller);
  return recordAudit(tx, [{ type, actor, requestId: caller.requestId, data }]);
}
