import { findReader } from '../access/find-reader.ts';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { scopesOf } from '@deviceportal/contract/permissions';
import {
  reportParts,
  type ReportLanguage,
  type ReportPaper,
  type ReportPart,
  type ReportVoice,
} from '@deviceportal/contract/reports';
import { refuse } from '@deviceportal/contract/refuse';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { ownsDeviceWithin } from '../devices/data/owns-device.ts';
import { isEverywhere } from '../devices/is-everywhere.ts';
import { getPerson } from '../people/get-person.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { countedReports, insertReport } from './data/report-queries.ts';
import type { ReportsDeps } from './reports-deps.ts';

export interface RequestUserReport {
  readonly personId: string;
  readonly caseId?: string | null;
  /** ISO 8601; without limits, the last seven days. */
  readonly from?: string | null;
  readonly to?: string | null;
  readonly parts?: readonly ReportPart[];
  /** Default: the requester's language. */
  readonly language?: ReportLanguage | null;
  readonly voice?: ReportVoice;
  readonly paper?: ReportPaper;
  readonly includePreciseLocation?: boolean;
  readonly origin?: RequestOrigin;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const LONGEST_DAYS = 400;

/** A report that its requester may have, not stored yet. */
export interface PlannedReport {
  readonly viewer: Viewer;
  readonly row: Parameters<typeof insertReport>[1];
  readonly origin: RequestOrigin | undefined;
}

/**
 * Requests a report on all devices of a person in a time range. It is created in the background with the requester's
 * permissions; the request is recorded.
 * @throws PortalError notFound (2003), also for a person without a device in the scope of the permission to create
 * reports
 */
export async function requestUserReport(
  deps: Pick<ReportsDeps, 'database' | 'clock' | 'startReport' | 'reportDays'>,
  viewer: Viewer,
  input: RequestUserReport,
): Promise<{ readonly reportId: string }> {
  const planned = await planUserReport(deps, viewer, input);
  await inTransaction(deps.database, (tx) => startUserReport(deps, tx, planned));
  return { reportId: planned.row.id };
}

/** Checks everything about a report except the number of reports. @throws as `requestUserReport` */
export async function planUserReport(
  deps: Pick<ReportsDeps, 'database' | 'clock' | 'reportDays'>,
  viewer: Viewer,
  input: RequestUserReport,
): Promise<PlannedReport> {
  const { personId, caseId = null, voice = 'technical', paper = 'a4', origin } = input;
  const precise = input.includePreciseLocation ?? false;
  await getPerson(deps, viewer, personId);
  await requireDeviceWithin(deps.database, viewer, personId);
  if (precise && scopesOf(viewer.grants, ['locations:read-precise']).length === 0) {
    throw new PortalError('noPermission', { facts: { permission: 'locations:read-precise' } });
  }
  const now = deps.clock();
  const period = periodOf(input, now);
  const language = input.language ?? (await languageOf(deps.database, viewer));
  const parts = [...(input.parts ?? reportParts)];
  const row = {
    ...{ id: newId(), personId, caseId, parts, language, voice, paper, precise },
    fromAt: new Date(period.from),
    toAt: new Date(period.to),
    createdById: viewer.userId,
    createdBySubject: viewer.subject,
    createdBy: viewer.username,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + deps.reportDays * DAY_MS),
  };
  return { viewer, row, origin };
}

/** @throws PortalError if the requester, or everyone together, has too many reports; nothing is written then */
export async function startUserReport(
  deps: Pick<ReportsDeps, 'startReport'>,
  tx: Transaction,
  { viewer, row, origin }: PlannedReport,
): Promise<void> {
  const { id: reportId, personId, caseId, fromAt, toAt, precise } = row;
  const period = { from: fromAt.toISOString(), to: toAt.toISOString() };
  await requireRoomForReport(tx, viewer);
  await insertReport(tx, row);
  await recordAudit(tx, [
    {
      type: 'report.created',
      actor: {
        kind: 'user',
        id: viewer.userId,
        name: viewer.username,
        address: origin?.address ?? null,
      },
      requestId: origin?.requestId ?? null,
      caseId,
      data: { kind: 'user-report', reportId, personId, ...period, precise },
    },
  ]);
  await deps.startReport(tx, reportId);
}

async function requireRoomForReport(tx: Transaction, { userId }: Viewer): Promise<void> {
  const { open, openOf, ofLastDay } = countedReports;
  await requireRoom(tx, { limit: 'openReports', of: userId, existing: openOf(userId) });
  await requireRoom(tx, { limit: 'reports', of: userId, existing: ofLastDay(userId) });
  await requireRoom(tx, { limit: 'openReportsOfAll', of: '', existing: open() });
}

/** A permission to create reports with a scope covers the people who own a device in it. */
async function requireDeviceWithin(
  database: Database,
  viewer: Viewer,
  personId: string,
): Promise<void> {
  const scopes = scopesOf(viewer.grants, ['reports:create']);
  if (scopes.some(isEverywhere)) return;
  if (!(await ownsDeviceWithin(database.orm, scopes, personId)))
    throw new PortalError('notFound', { facts: { person: personId } });
}

function periodOf(
  { from, to }: Pick<RequestUserReport, 'from' | 'to'>,
  now: Date,
): { readonly from: string; readonly to: string } {
  const end = new Date(Math.min(to ? Date.parse(to) : now.getTime(), now.getTime()));
  const begin = from ? new Date(from) : new Date(end.getTime() - DEFAULT_DAYS * DAY_MS);
  const days = (end.getTime() - begin.getTime()) / DAY_MS;
  if (days <= 0 || days > LONGEST_DAYS) {
    throw refuse('report-period-invalid', { field: 'range', facts: { most: LONGEST_DAYS } });
  }
  return { from: begin.toISOString(), to: end.toISOString() };
}

async function languageOf(database: Database, viewer: Viewer): Promise<ReportLanguage> {
  const reader = await findReader(database.orm, viewer.subject);
  return reader?.language?.startsWith('zh') ? 'zh-CN' : 'en';
}
