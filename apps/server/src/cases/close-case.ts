import type { z } from 'zod';
import type { CaseDetail, closeCaseInput } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { endAccessGrantsOf } from '../access/access-grants/end-access-grants.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { requestUserReport } from '../reports/request-user-report.ts';
import type { ReportsDeps } from '../reports/reports-deps.ts';
import { markClosed } from './data/case-queries.ts';
import { clearActiveCaseOfAll } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireOpenCase } from './require-case.ts';

export type CloseCaseDeps = CasesDeps & Pick<ReportsDeps, 'startReport' | 'reportDays'>;

/** Closes a case with its outcome for all users who work in it, and starts its report. */
export async function closeCase(
  deps: CloseCaseDeps,
  caller: Caller,
  { id, outcome, text }: z.infer<typeof closeCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  const { personId, news } = await inTransaction(deps.database, async (tx) => {
    const locked = await requireOpenCase(tx, viewer, id);
    await markClosed(tx, { id, by: viewer.displayName, at, outcome, text });
    await clearActiveCaseOfAll(tx, id);
    await recordInCase(tx, caller, {
      caseId: id,
      at,
      entry: { kind: 'closed', data: { outcome, text } },
      audit: { type: 'case.closed', data: { personId: locked.personId, outcome } },
    });
    return { personId: locked.personId, news: await endAccessGrantsOf(tx, caller, { caseId: id }) };
  });
  await requestReport(deps, caller, { id, personId, at });
  deps.changes.publish([...news, ...caseChanges(id)]);
  return getCase(deps, viewer, id);
}

/**
 * Without permission for the report, or without access to any device of the person, the case is closed without a
 * report.
 */
async function requestReport(
  deps: CloseCaseDeps,
  caller: Caller,
  closed: { readonly id: string; readonly personId: string; readonly at: Date },
): Promise<void> {
  const { viewer } = caller;
  if (!holds(viewer.grants, 'reports:create')) return;
  const { openedAt } = await getCase(deps, viewer, closed.id);
  const report = {
    ...{ personId: closed.personId, caseId: closed.id, origin: caller },
    ...{ from: openedAt, to: closed.at.toISOString() },
  };
  try {
    await requestUserReport(deps, viewer, report);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
  }
}
