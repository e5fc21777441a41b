import { and, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database/database.ts';
import { isOnVersion } from '../../../versions/data/known-versions.ts';
import type { AirBlastRecord } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';
import { countAll, countWhere } from './outcome-counts.ts';
import { isInState, isReady, isTargetOf } from './target-conditions.ts';

type VerifiedPlan = Pick<AirBlastRecord, 'id' | 'revision' | 'component' | 'version'> & {
  /** Whether the plan has a verification document. */
  readonly byDocument: boolean;
};

/**
 * Compares the devices with the target state: by the result of the verification document, the reported version, or the
 * result of the change.
 */
export async function verifyTargets(
  tx: Transaction,
  plan: VerifiedPlan,
): Promise<{ readonly total: number; readonly verified: number }> {
  const checked = tx.$with('checked').as(
    tx
      .update(airBlastTarget)
      .set({ verified: isAsIntended(plan) })
      .where(and(isTargetOf(plan), isReady, isNotNull(airBlastTarget.runId)))
      .returning({ verified: airBlastTarget.verified }),
  );
  const [found] = await tx
    .with(checked)
    .select({ total: countAll, verified: countWhere(sql`${checked.verified}`) })
    .from(checked);
  return found ?? { total: 0, verified: 0 };
}

function isAsIntended({ byDocument, component, version }: VerifiedPlan): SQL {
  if (byDocument) return isInState(['Success'], 'verify');
  if (component === null) return isInState(['Success']);
  if (version === null) return sql`false`;
  return isOnVersion(airBlastTarget.deviceId, { component, version });
}
