import type { AirBlastPlanChanges } from '@deviceportal/contract/air-blast';
import { scopesOf } from '@deviceportal/contract/permissions';
import { effectChanges } from '../../commands/effect/effect-changes.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { compareWithApproval, selectApprovals } from '../data/approval-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';

/** Differences between the last approved plan and the current one; null without differences. */
export async function changesSinceApproval(
  executor: Executor,
  viewer: Viewer,
  run: AirBlastRecord,
): Promise<AirBlastPlanChanges | null> {
  const approved = (await selectApprovals(executor, run.id)).findLast(
    ({ decision, effect }) => decision === 'approved' && effect !== null,
  );
  if (approved === undefined || approved.effect === null || run.effect === null) return null;
  if (approved.planSha256 === run.planSha256) return null;
  return {
    by: maskUser(approved.by, viewer),
    at: approved.at.toISOString(),
    changes: effectChanges(approved.effect, run.effect),
    ...(await compareWithApproval(executor, run, {
      approvalId: approved.id,
      scopes: scopesOf(viewer.grants, ['devices:read']),
    })),
  };
}
