import type { z } from 'zod';
import type { CaseDetail, closeCaseInput } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { endAccessGrantsOf } from '../access/access-grants/end-access-grants.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import {
  planUserReport,
  startUserReport,
  type PlannedReport,
} from '../reports/request-user-report.ts';
import type { ReportsDeps } from '../reports/reports-deps.ts';
import { markClosed, type LockedCase } from './data/case-queries.ts';
import { clearActiveCaseOfAll } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireCase, requireOpen } from './require-case.ts';

export type CloseCaseDeps = CasesDeps & Pick<ReportsDeps, 'startReport' | 'reportDays'>;

/**
 * Closes a case with its outcome for all users who work in it, and starts its report. A repeated call, such as after a
 * lost response, changes nothing.
 */
export async function closeCase(
  deps: CloseCaseDeps,
  caller: Caller,
  { id, outcome, text }: z.infer<typeof closeCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const end = { id, by: viewer.displayName, at: deps.clock(), outcome, text };
  const report = await planReport(deps, caller, end);
  const news = await inTransaction(deps.database, async (tx) => {
    const locked = await requireCase(tx, viewer, id);
    if (isClosedBy(locked, end)) return undefined;
    requireOpen(locked);
    await markClosed(tx, end);
    await clearActiveCaseOfAll(tx, id);
    await recordInCase(tx, caller, {
      caseId: id,
      at: end.at,
      entry: { kind: 'closed', data: { outcome, text } },
      audit: { type: 'case.closed', data: { personId: locked.personId, outcome } },
    });
    const ended = await endAccessGrantsOf(tx, caller, { caseId: id });
    if (report !== undefined) await ifAllowed(startUserReport(deps, tx, report));
    return ended;
  });
  if (news !== undefined) deps.changes.publish([...news, ...caseChanges(id)]);
  return getCase(deps, viewer, id);
}

/**
 * Without permission for the report, or without access to any device of the person, the case is closed without a
 * report.
 */
async function planReport(
  deps: CloseCaseDeps,
  caller: Caller,
  { id: caseId, at }: { readonly id: string; readonly at: Date },
): Promise<PlannedReport | undefined> {
  const { viewer } = caller;
  if (!holds(viewer.grants, 'reports:create')) return undefined;
  const { openedAt, person } = await getCase(deps, viewer, caseId);
  return ifAllowed(
    planUserReport(deps, viewer, {
      ...{ personId: person.id, caseId, origin: caller },
      ...{ from: openedAt, to: at.toISOString() },
    }),
  );
}

/** Undefined if it is refused. */
async function ifAllowed<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return undefined;
  }
}

const isClosedBy = (
  found: LockedCase,
  { by, outcome, text }: { readonly by: string; readonly outcome: string; readonly text: string },
): boolean =>
  found.state === 'closed' &&
  found.closedBy === by &&
  found.outcome === outcome &&
  found.outcomeText === text;
