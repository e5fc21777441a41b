import { and, asc, eq, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { versionApproval } from './versions-tables.ts';

type Approval = typeof versionApproval.$inferSelect;

/** The devices for which a version is approved. */
export type ApprovalTarget = Pick<Approval, 'component' | 'model' | 'country'>;

const isTarget = ({ component, model, country }: ApprovalTarget): SQL | undefined =>
  and(
    eq(versionApproval.component, component),
    eq(versionApproval.model, model),
    eq(versionApproval.country, country),
  );

const isOfVersion = ({ component, version }: SoftwareReference): SQL | undefined =>
  and(eq(versionApproval.component, component), eq(versionApproval.version, version));

/** All approvals, for growth limits. */
export const allApprovals = (): SQL =>
  new QueryBuilder().select({ version: versionApproval.version }).from(versionApproval).getSQL();

/** The approved version there, locked until the transaction ends. */
export async function lockApproved(
  tx: Transaction,
  target: ApprovalTarget,
): Promise<string | undefined> {
  const [found] = await tx
    .select({ version: versionApproval.version })
    .from(versionApproval)
    .where(isTarget(target))
    .for('update');
  return found?.version;
}

export async function upsertApproval(tx: Transaction, approval: Approval): Promise<void> {
  const { component, model, country, version, approvedBy, approvedAt, mandatoryFrom } =
    versionApproval;
  await tx
    .insert(versionApproval)
    .values(approval)
    .onConflictDoUpdate({
      target: [component, model, country],
      set: {
        version: excluded(version),
        approvedBy: excluded(approvedBy),
        approvedAt: excluded(approvedAt),
        mandatoryFrom: excluded(mandatoryFrom),
      },
    });
}

/** False if a version is already approved there. */
export async function insertApproval(tx: Transaction, approval: Approval): Promise<boolean> {
  const { rowCount } = await tx.insert(versionApproval).values(approval).onConflictDoNothing();
  return rowCount === 1;
}

export async function deleteApproval(tx: Transaction, target: ApprovalTarget): Promise<void> {
  await tx.delete(versionApproval).where(isTarget(target));
}

/** @returns the devices for which the version was approved */
export async function deleteApprovalsOf(tx: Transaction, reference: SoftwareReference) {
  const { model, country } = versionApproval;
  return tx.delete(versionApproval).where(isOfVersion(reference)).returning({ model, country });
}

/** One of the approvals of a version. */
export async function findApprovalOf(on: Executor, reference: SoftwareReference) {
  const { model, country } = versionApproval;
  const [found] = await on
    .select({ model, country })
    .from(versionApproval)
    .where(isOfVersion(reference))
    .orderBy(asc(model), asc(country))
    .limit(1);
  return found;
}
