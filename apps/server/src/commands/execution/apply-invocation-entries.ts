import { sql } from 'drizzle-orm';
import type { AuditDraft } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { arrayOf, rowsOf } from '../../platform/database/rows-of.ts';
import { noteReportedArtefacts } from '../data/artefact-queries.ts';
import { countSteps } from './count-steps.ts';
import {
  foldInvocationEntries,
  type FoldedEntries,
  type InvocationEntry,
  type InvocationProgress,
} from './fold-invocation-entries.ts';
import { settleRuns, type Transition } from './settle-runs.ts';

/** What one device says about one of its invocations, in the order of its journal. */
export interface InvocationReport {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly entry: InvocationEntry;
}

export interface AppliedReports {
  /**
   * The runs' side, to be done last before the commit: every other report of the same run waits for the run's lock.
   * Answers what to publish after commit.
   */
  readonly settle: () => Promise<Change[]>;
  readonly audit: AuditDraft[];
  /** Reports about invocations that are not the device's, or do not exist. */
  readonly foreign: readonly InvocationReport[];
}

type InvocationRow = Record<string, unknown> &
  InvocationProgress & { readonly id: string; readonly runId: string; readonly deviceId: string };

/**
 * Applies what many devices report about many invocations with a handful of statements, in the caller's
 * transaction. Locks invocations in the order of their ids, then runs. Applying a report twice changes nothing.
 */
export async function applyInvocationEntries(
  tx: Transaction,
  reports: readonly InvocationReport[],
  now: Date,
): Promise<AppliedReports> {
  if (reports.length === 0) return { settle: async () => [], audit: [], foreign: [] };
  const rows = await lockInvocations(tx, reports);
  const foreign: InvocationReport[] = [];
  const byInvocation = new Map<string, InvocationReport[]>();
  for (const report of reports) {
    const id = report.entry.invocationId;
    const own = byInvocation.get(id);
    if (rows.get(id)?.deviceId !== report.deviceId) foreign.push(report);
    else if (own) own.push(report);
    else byInvocation.set(id, [report]);
  }
  const stepCounts = await countSteps(tx, runsWithSteps(rows, byInvocation));
  const folded = [...byInvocation].map(([id, own]): Folded => {
    const row = rows.get(id) as InvocationRow;
    const entries = own.map(({ entry }) => entry);
    const result = foldInvocationEntries(row, entries, now, stepCounts.get(row.runId));
    return { ...result, row, deviceName: own[0]?.deviceName ?? '' };
  });
  await storeProgress(tx, folded, now);
  await storeOutput(tx, folded);
  const stored = await storedDigests(tx, folded);
  const settle = async (): Promise<Change[]> => [
    ...folded.flatMap(outputChanges),
    ...(await settleRuns(tx, folded.flatMap(transitionOf))),
  ];
  return { settle, audit: folded.flatMap((each) => auditOf(each, stored)), foreign };
}

function runsWithSteps(
  rows: ReadonlyMap<string, InvocationRow>,
  byInvocation: ReadonlyMap<string, readonly InvocationReport[]>,
): string[] {
  const reported = [...byInvocation].filter(([, own]) =>
    own.some(({ entry }) => entry.kind === 'invocation-step'),
  );
  return [...new Set(reported.flatMap(([id]) => rows.get(id)?.runId ?? []))];
}

interface Folded extends FoldedEntries {
  readonly row: InvocationRow;
  readonly deviceName: string;
}

async function lockInvocations(
  tx: Transaction,
  reports: readonly InvocationReport[],
): Promise<Map<string, InvocationRow>> {
  const ids = arrayOf('uuid', [...new Set(reports.map(({ entry }) => entry.invocationId))]);
  const result = await tx.execute<InvocationRow>(sql`
    select id, run_id as "runId", device_id as "deviceId", state, status_details as "statusDetails",
      response_code as "responseCode", sent_at as "sentAt", started_at as "startedAt", ended_at as "endedAt",
      steps, output_preview as "outputPreview", stdout_length as "stdoutLength",
      stderr_length as "stderrLength", output_stored as "outputStored", output_truncated as "outputTruncated"
    from invocation
    where id = any(${ids}) order by id for update`);
  return new Map(
    result.rows.map((row) => [
      row.id,
      {
        ...row,
        sentAt: isoOf(row.sentAt),
        startedAt: isoOf(row.startedAt),
        endedAt: isoOf(row.endedAt),
        stdoutLength: Number(row.stdoutLength),
        stderrLength: Number(row.stderrLength),
        outputStored: Number(row.outputStored),
      },
    ]),
  );
}

const isoOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : new Date(value as string).toISOString();

async function storeProgress(tx: Transaction, folded: readonly Folded[], now: Date): Promise<void> {
  const rows = folded
    .filter(({ progress, row, output }) => progress !== row || output.length > 0)
    .map(({ row, progress }) => ({
      id: row.id,
      state: progress.state,
      status_details: progress.statusDetails,
      response_code: progress.responseCode,
      started_at: progress.startedAt,
      ended_at: progress.endedAt,
      steps: JSON.stringify(progress.steps),
      output_preview: progress.outputPreview,
      stdout_length: progress.stdoutLength,
      stderr_length: progress.stderrLength,
      output_stored: progress.outputStored,
      output_truncated: progress.outputTruncated,
    }));
  if (rows.length === 0) return;
  await tx.execute(sql`
    update invocation set state = entry.state, status_details = entry.status_details,
      response_code = entry.response_code, started_at = entry.started_at, ended_at = entry.ended_at,
      news_at = ${now.toISOString()}, steps = entry.steps, output_preview = entry.output_preview,
      stdout_length = entry.stdout_length, stderr_length = entry.stderr_length,
      output_stored = entry.output_stored, output_truncated = entry.output_truncated
    from ${rowsOf(progressTypes, rows)} as entry
    where invocation.id = entry.id`);
}

const progressTypes = {
  id: 'uuid',
  state: 'text',
  status_details: 'text',
  response_code: 'integer',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  steps: 'jsonb',
  output_preview: 'text',
  stdout_length: 'bigint',
  stderr_length: 'bigint',
  output_stored: 'bigint',
  output_truncated: 'boolean',
} as const;

async function storeOutput(tx: Transaction, folded: readonly Folded[]): Promise<void> {
  const rows = folded.flatMap(({ row, output }) =>
    output.map((piece) => ({ invocation_id: row.id, ...piece })),
  );
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into invocation_output (invocation_id, stream, "offset", text)
    select * from ${rowsOf(outputTypes, rows)} as piece
    on conflict do nothing`);
}

const outputTypes = {
  invocation_id: 'uuid',
  stream: 'text',
  offset: 'bigint',
  text: 'text',
} as const;

function transitionOf({ row, progress }: Folded): Transition[] {
  if (row.state === progress.state && row.statusDetails === progress.statusDetails) return [];
  const { id, runId, deviceId } = row;
  const { statusDetails } = progress;
  return [{ id, runId, deviceId, from: row.state, to: progress.state, statusDetails }];
}

function outputChanges({ row, output }: Folded): Change[] {
  return output.map((piece) => ({
    kind: 'output',
    invocationId: row.id,
    deviceId: row.deviceId,
    ...piece,
  }));
}

/** What is stored of the files that devices report, by invocation and name. */
async function storedDigests(
  tx: Transaction,
  folded: readonly Folded[],
): Promise<ReadonlyMap<string, string>> {
  const reported = folded.flatMap(({ row, artefacts }) =>
    artefacts.map(({ name, sha256 }) => ({ invocationId: row.id, name, sha256 })),
  );
  const stored = await noteReportedArtefacts(tx, reported);
  return new Map(stored.map((each) => [`${each.invocationId} ${each.name}`, each.sha256]));
}

function auditOf(
  { row, progress, deviceName, artefacts, hasStarted, hasFinished }: Folded,
  stored: ReadonlyMap<string, string>,
): AuditDraft[] {
  const base = {
    actor: { kind: 'device', id: row.deviceId, name: deviceName, address: null },
    deviceId: row.deviceId,
    runId: row.runId,
  } as const;
  const ids = { invocationId: row.id, runId: row.runId };
  const events: AuditDraft[] = [];
  const at = (iso: string | null): { at?: Date } => (iso === null ? {} : { at: new Date(iso) });
  // What one transaction learns of an invocation is one event: it says when it started, too.
  const isBoth = hasStarted && hasFinished;
  if (hasStarted && !isBoth)
    events.push({ ...base, ...at(progress.startedAt), type: 'command.started', data: ids });
  for (const artefact of artefacts) {
    const storedSha256 = stored.get(`${row.id} ${artefact.name}`) ?? null;
    const differs = storedSha256 === artefact.sha256 ? {} : { storedSha256 };
    const data = { ...ids, ...artefact, ...differs };
    events.push({ ...base, type: 'command.artefact-collected', data });
  }
  if (hasFinished) {
    const { state, statusDetails, responseCode } = progress;
    const started = isBoth ? { startedAt: progress.startedAt } : {};
    const data = { ...ids, state, statusDetails, responseCode, ...started };
    events.push({ ...base, ...at(progress.endedAt), type: 'command.finished', data });
  }
  return events;
}
