import type { AuditDraft } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { noteReportedArtifacts } from '../data/artifact-queries.ts';
import { countSteps } from '../data/execution/count-steps.ts';
import { insertOutput } from '../data/output-queries.ts';
import {
  lockInvocations,
  updateProgress,
  type LockedInvocation,
} from '../data/execution/progress-queries.ts';
import {
  foldInvocationEntries,
  type FoldedEntries,
  type InvocationEntry,
} from './fold-invocation-entries.ts';
import { settleRuns, type Transition } from './settle-runs.ts';

/** Journal entries of a device about one of its invocations, in journal order. */
export interface InvocationReport {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly entry: InvocationEntry;
}

export interface AppliedReports {
  /**
   * Updates runs. Call last before commit, because other reports of the same runs wait for the locks. Returns the
   * changes to publish after commit.
   */
  readonly settle: () => Promise<Change[]>;
  readonly audit: AuditDraft[];
  /** Reports about invocations of other devices, or that do not exist. */
  readonly foreign: readonly InvocationReport[];
}

/**
 * Applies reports of many devices about many invocations with a constant number of statements, in the caller's
 * transaction. Locks invocations in the order of their IDs, then runs. Idempotent.
 */
export async function applyInvocationEntries(
  tx: Transaction,
  reports: readonly InvocationReport[],
  now: Date,
): Promise<AppliedReports> {
  if (reports.length === 0) return { settle: async () => [], audit: [], foreign: [] };
  const ids = [...new Set(reports.map(({ entry }) => entry.invocationId))];
  const rows = await lockInvocations(tx, ids);
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
    const row = rows.get(id) as LockedInvocation;
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
  rows: ReadonlyMap<string, LockedInvocation>,
  byInvocation: ReadonlyMap<string, readonly InvocationReport[]>,
): string[] {
  const reported = [...byInvocation].filter(([, own]) =>
    own.some(({ entry }) => entry.kind === 'invocation-step'),
  );
  return [...new Set(reported.flatMap(([id]) => rows.get(id)?.runId ?? []))];
}

interface Folded extends FoldedEntries {
  readonly row: LockedInvocation;
  readonly deviceName: string;
}

async function storeProgress(tx: Transaction, folded: readonly Folded[], now: Date): Promise<void> {
  const changed = folded.filter(
    ({ progress, row, output }) => progress !== row || output.length > 0,
  );
  await updateProgress(
    tx,
    changed.map(({ row, progress }) => ({ ...progress, id: row.id })),
    now,
  );
}

async function storeOutput(tx: Transaction, folded: readonly Folded[]): Promise<void> {
  await insertOutput(
    tx,
    folded.flatMap(({ row, output }) =>
      output.map((piece) => ({ invocationId: row.id, ...piece })),
    ),
  );
}

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

/** Digests of the stored files that devices report, by invocation and name. */
async function storedDigests(
  tx: Transaction,
  folded: readonly Folded[],
): Promise<ReadonlyMap<string, string>> {
  const reported = folded.flatMap(({ row, artifacts }) =>
    artifacts.map(({ name, sha256 }) => ({ invocationId: row.id, name, sha256 })),
  );
  const stored = await noteReportedArtifacts(tx, reported);
  return new Map(stored.map((each) => [`${each.invocationId} ${each.name}`, each.sha256]));
}

function auditOf(
  { row, progress, deviceName, artifacts, hasStarted, hasFinished }: Folded,
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
  // One event per transaction: the event of the end includes the start.
  const isBoth = hasStarted && hasFinished;
  if (hasStarted && !isBoth)
    events.push({ ...base, ...at(progress.startedAt), type: 'command.started', data: ids });
  for (const artifact of artifacts) {
    const storedSha256 = stored.get(`${row.id} ${artifact.name}`) ?? null;
    const differs = storedSha256 === artifact.sha256 ? {} : { storedSha256 };
    const data = { ...ids, ...artifact, ...differs };
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
