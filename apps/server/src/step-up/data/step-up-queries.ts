import { STEP_UP_VALIDITY_MS } from '@deviceportal/contract/constants';
import type { StepUpMethod } from '@deviceportal/contract/step-up';
import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { portalNow } from '../../platform/columns.ts';
import { stepUp } from './step-up-tables.ts';

const validity = sql`make_interval(secs => ${STEP_UP_VALIDITY_MS / 1_000})`;

/** By the clock of the database, which all servers share. */
export async function isStepUpFresh(
  on: Executor,
  { sessionKey, userId }: { readonly sessionKey: string; readonly userId: string },
): Promise<boolean> {
  const rows = await on
    .select({ userId: stepUp.userId })
    .from(stepUp)
    .where(
      and(
        eq(stepUp.sessionKey, sessionKey),
        eq(stepUp.userId, userId),
        sql`${stepUp.confirmedAt} > ${portalNow} - ${validity}`,
      ),
    );
  return rows.length > 0;
}

/** @returns the end of the step-up */
export async function storeStepUp(
  on: Executor,
  row: { readonly sessionKey: string; readonly userId: string; readonly method: StepUpMethod },
): Promise<Date> {
  const confirmedAt = portalNow;
  const [stored] = await on
    .insert(stepUp)
    .values({ ...row, confirmedAt })
    .onConflictDoUpdate({
      target: stepUp.sessionKey,
      set: { userId: row.userId, method: row.method, confirmedAt },
    })
    .returning({ confirmedAt: stepUp.confirmedAt });
  return new Date((stored?.confirmedAt ?? new Date()).getTime() + STEP_UP_VALIDITY_MS);
}

export async function deleteStepUp(on: Executor, sessionKey: string): Promise<void> {
  await on.delete(stepUp).where(eq(stepUp.sessionKey, sessionKey));
}
