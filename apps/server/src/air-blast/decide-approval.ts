import type { z } from 'zod';
import type { AirBlastDetail, decideAirBlastInput } from '@deviceportal/contract/air-blast';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { scopesOf } from '@deviceportal/contract/permissions';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { nextStepOf } from './air-blast-state-machine.ts';
import { insertApproval, selectSteps, type AirBlastRecord } from './air-blast-store.ts';
import { changeProgress, holdAirBlast, recordAirBlast } from './change-progress.ts';
import { getAirBlast } from './get-air-blast.ts';
import { handOnToken } from './hand-on-token.ts';
import { isSecondPerson } from './operator-policy.ts';
import { countBeyond } from './target-set-store.ts';
import { tellDecision } from './tell-people.ts';

export type DecideApproval = z.infer<typeof decideAirBlastInput> & {
  readonly origin: RequestOrigin;
};

/** Signs the target set that the canary was taken from. See `decide`. */
export const approveAirBlast = decision('approved');
/** Turns the plan down: it can be made anew or aborted. */
export const rejectAirBlast = decision('rejected');

/**
 * A second person's word about exactly one target set.
 *
 * @throws PortalError 2003; 1000 for who has a hand in it, or does not reach all devices; 2004 when the set is not the
 *   one that was shown, or nothing waits for approval
 */
function decision(verdict: 'approved' | 'rejected') {
  return async (
    deps: AirBlastDeps,
    viewer: Viewer,
    input: DecideApproval,
  ): Promise<AirBlastDetail> => {
    await inTransaction(deps.database, async (tx) => {
      const held = await holdAirBlast(tx, viewer, input.id);
      await requireApprover(tx, held, viewer);
      requireSameSet(held, input.targetSha256);
      const now = deps.clock();
      const kind = verdict === 'approved' ? 'approve' : 'reject';
      const decided = await changeProgress(
        tx,
        held,
        { kind },
        { stateReason: verdict === 'rejected' ? 'rejected' : '', updatedAt: now },
      );
      const signed = [
        held.id,
        held.revision,
        held.targetSha256,
        viewer.userId,
        verdict,
        now.toISOString(),
      ];
      const signature = deps.signApproval(signed.join('\n'));
      await insertApproval(tx, {
        id: newId(now.getTime()),
        airBlastId: held.id,
        revision: held.revision,
        targetSha256: held.targetSha256,
        decision: verdict,
        byId: viewer.userId,
        by: viewer.username,
        comment: input.comment,
        signature,
        at: now,
      });
      await recordAirBlast(tx, decided, {
        type: verdict === 'approved' ? 'air-blast.approved' : 'air-blast.rejected',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: { comment: input.comment, signature },
      });
      await tellDecision(tx, decided);
      if (nextStepOf(decided) !== null) await handOnToken(tx, decided, now);
    });
    return getAirBlast(deps, viewer, input.id);
  };
}

async function requireApprover(
  tx: Transaction,
  held: AirBlastRecord,
  viewer: Viewer,
): Promise<void> {
  const facts = { permission: 'air-blast:approve' };
  if (!isSecondPerson(held, await selectSteps(tx, held), viewer)) {
    throw new PortalError('noPermission', {
      message: 'Somebody who has no hand in the run must approve it',
      facts: { ...facts, reason: 'same-person' },
    });
  }
  const beyond = await countBeyond(tx, held, scopesOf(viewer.grants, ['air-blast:approve']));
  if (beyond === 0) return;
  throw new PortalError('noPermission', {
    message: 'The target set reaches further than your right to approve',
    facts: { ...facts, reason: 'beyond-scope' },
  });
}

function requireSameSet(held: AirBlastRecord, seen: string): void {
  if (held.targetSha256 === seen) return;
  throw new PortalError('invalidParameters', {
    message: 'The target set has changed since it was shown',
    issues: [{ path: ['targetSha256'], message: 'is not the present target set' }],
  });
}
