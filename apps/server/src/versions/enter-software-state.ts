import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { changeSoftwareStateInput } from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import { deleteApprovalsOf, findApprovalOf } from './data/approval-queries.ts';
import { refreshCellStates } from './data/cell-state-queries.ts';
import { lockSoftware, setSoftwareState } from './data/software-queries.ts';
import { mayBecome } from './software-state-policy.ts';

export type ChangeState = z.infer<typeof changeSoftwareStateInput>;

/**
 * Changes the state of a version in the caller's transaction, with its audit events.
 * @returns false if it is in this state already
 * @throws PortalError 2003 for an unknown version; 2004 if its state does not allow it. Nothing was written then.
 */
export async function enterSoftwareState(
  tx: Transaction,
  input: ChangeState,
  by: Pick<AuditDraft, 'actor' | 'requestId' | 'at'>,
): Promise<boolean> {
  const { component, version, state, reason } = input;
  const held = await lockSoftware(tx, input);
  if (held === undefined) throw new PortalError('notFound', { facts: { component, version } });
  if (held.state === state) return false;
  if (!mayBecome(held.state, state)) {
    throw refuse('version-state-refuses', {
      field: 'state',
      facts: { component, version, state: held.state, to: state },
    });
  }
  const ended = await endApprovals(tx, input);
  await setSoftwareState(tx, input, state);
  await refreshCellStates(tx, component);
  await recordAudit(tx, [
    {
      ...by,
      type: 'version.state-changed',
      data: { component, version, from: held.state, to: state, reason },
    },
    ...ended.map((target): AuditDraft => ({
      ...by,
      type: 'version.approval-withdrawn',
      data: { component, version, ...target, reason: 'blocked' },
    })),
  ]);
  return true;
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
