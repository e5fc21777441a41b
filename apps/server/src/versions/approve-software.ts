import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { approvalTargetInput, approveSoftwareInput } from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireTargetInScope } from './approval-scope-policy.ts';
import { restateAtOnce } from './restate-devices.ts';
import { lockSoftware, refreshCellStates } from './software-store.ts';
import type { VersionsDeps } from './versions-deps.ts';

type ApproveSoftware = z.infer<typeof approveSoftwareInput>;
type ApprovalTarget = z.infer<typeof approvalTargetInput>;

/**
 * Makes a version the approved one of a component for a model and a country, in place of the one before.
 * @throws PortalError 2003 without such a version; 2004 unless it is approved and made for the model; 1000 beyond scope
 */
export async function approveSoftware(
  deps: VersionsDeps,
  caller: Caller,
  input: ApproveSoftware,
): Promise<void> {
  requireTargetInScope(caller.viewer, input);
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireApprovable(tx, input);
    const before = await currentApproval(tx, input);
    if (before === undefined) {
      const existing = sql`select from version_approval`;
      await requireRoom(tx, { limit: 'versionApprovals', of: '', existing });
    }
    await tx.execute(sql`
      insert into version_approval (component, model, country, version, approved_by, approved_at, mandatory_from)
      values (${input.component}, ${input.model}, ${input.country}, ${input.version}, ${caller.viewer.username},
              ${at.toISOString()}, ${input.mandatoryFrom})
      on conflict (component, model, country) do update
      set version = excluded.version, approved_by = excluded.approved_by, approved_at = excluded.approved_at,
          mandatory_from = excluded.mandatory_from`);
    await refreshCellStates(tx, input.component);
    await recordAudit(tx, [
      {
        type: 'version.approval-set',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        at,
        data: { ...input, from: before ?? null, to: input.version },
      },
    ]);
  });
  await restateAtOnce(deps);
}

async function requireApprovable(tx: Transaction, input: ApproveSoftware): Promise<void> {
  const { component, version, model } = input;
  const held = await lockSoftware(tx, input);
  if (held === undefined) throw new PortalError('notFound', { facts: { component, version } });
  const issues = [
    ...(held.state === 'approved' ? [] : [{ path: ['version'], message: `is ${held.state}` }]),
    ...(held.models.length === 0 || held.models.includes(model)
      ? []
      : [{ path: ['model'], message: `is none of ${held.models.join(', ')}` }]),
  ];
  if (issues.length > 0) {
    throw refuse('version-not-approvable', { issues, facts: { component, version, model } });
  }
}

/** @throws PortalError 2003 when nothing is approved there; 1000 beyond scope */
export async function withdrawApproval(
  deps: VersionsDeps,
  caller: Caller,
  target: ApprovalTarget,
): Promise<void> {
  requireTargetInScope(caller.viewer, target);
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const before = await currentApproval(tx, target);
    if (before === undefined) throw new PortalError('notFound', { facts: { ...target } });
    await tx.execute(sql`delete from version_approval where ${isTarget(target)}`);
    await refreshCellStates(tx, target.component);
    await recordAudit(tx, [
      {
        type: 'version.approval-withdrawn',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        at,
        data: { ...target, version: before },
      },
    ]);
  });
  await restateAtOnce(deps);
}

const isTarget = ({ component, model, country }: ApprovalTarget) =>
  sql`component = ${component} and model = ${model} and country = ${country}`;

async function currentApproval(
  tx: Transaction,
  target: ApprovalTarget,
): Promise<string | undefined> {
  const found = await tx.execute<{ version: string }>(
    sql`select version from version_approval where ${isTarget(target)} for update`,
  );
  return found.rows[0]?.version;
}
