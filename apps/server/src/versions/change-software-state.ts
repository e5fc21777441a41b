import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { changeSoftwareStateInput } from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireWholeFleet } from './approval-scope-policy.ts';
import { restateNow } from './restate-devices.ts';
import { deleteApprovalsOf, findApprovalOf } from './data/approval-queries.ts';
import { refreshCellStates } from './data/cell-state-queries.ts';
import { lockSoftware, setSoftwareState } from './data/software-queries.ts';
import { mayBecome } from './software-state-policy.ts';
import type { VersionsDeps } from './versions-deps.ts';

type ChangeState = z.infer<typeof changeSoftwareStateInput>;

/**
 * Approves, deprecates, or blocks a version. Blocking ends its approvals immediately; a version cannot be deprecated
 * while it is the approved one for any devices.
 * @throws PortalError 2003 for an unknown version; 2004 if its state does not allow it
 */
export async function changeSoftwareState(
  deps: VersionsDeps,
  caller: Caller,
  input: ChangeState,
): Promise<void> {
  requireWholeFleet(caller.viewer);
  const at = deps.clock();
  const { component, version, state, reason } = input;
  await inTransaction(deps.database, async (tx) => {
    const held = await lockSoftware(tx, input);
    if (held === undefined) throw new PortalError('notFound', { facts: { component, version } });
    if (held.state === state) return;
    if (!mayBecome(held.state, state)) {
      throw refuse('version-state-refuses', {
        field: 'state',
        facts: { component, version, state: held.state, to: state },
      });
    }
    const ended = await endApprovals(tx, input);
    await setSoftwareState(tx, input, state);
    await refreshCellStates(tx, component);
    const base = {
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      at,
    };
    await recordAudit(tx, [
      {
        ...base,
        type: 'version.state-changed',
        data: { component, version, from: held.state, to: state, reason },
      },
      ...ended.map((target): AuditDraft => ({
        ...base,
        type: 'version.approval-withdrawn',
        data: { component, version, ...target, reason: 'blocked' },
      })),
    ]);
  });
  await restateNow(deps);
}

/** @returns the devices for which the version was approved */
async function endApprovals(tx: Transaction, input: ChangeState) {
  if (input.state === 'blocked') return deleteApprovalsOf(tx, input);
  const approval = input.state === 'deprecated' ? await findApprovalOf(tx, input) : undefined;
  if (approval === undefined) return [];
  const { component, version } = input;
  throw refuse('version-still-approved', {
    field: 'state',
    facts: { component, version, ...approval },
  });
}
