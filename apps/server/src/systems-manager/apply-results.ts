import type { AuditType } from '@deviceportal/contract/audit-trail';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { lockOpen } from '../commands/data/execution/open-invocation-queries.ts';
import { applyInvocationEntries } from '../commands/execution/apply-invocation-entries.ts';
import { endInvocations } from '../commands/execution/end-invocations.ts';
import type { InvocationEntry } from '../commands/execution/fold-invocation-entries.ts';
import { findDeviceNames } from '../devices/data/find-device-names.ts';
import type { Change, ChangeFeed } from '../platform/change-feed.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { SsmEnd } from './translate-invocation.ts';

export interface ApplyDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
}

/** What is known of an invocation: entries of its instance, and how Systems Manager ended it. */
export interface InvocationResult {
  readonly invocationId: string;
  readonly deviceId: string;
  readonly entries: readonly InvocationEntry[];
  /** Null while it has not ended, or if an entry ends it. */
  readonly given: Extract<SsmEnd, { by: 'service' }>['statusDetails'] | null;
}

/** Applies results as the gateway applies journals. Idempotent. */
export async function applyResults(
  deps: ApplyDeps,
  results: readonly InvocationResult[],
): Promise<void> {
  await applyEntries(deps, results);
  for (const [statusDetails, ended] of Map.groupBy(results, ({ given }) => given)) {
    if (statusDetails === null) continue;
    const invocationIds = ended.map(({ invocationId }) => invocationId);
    const changes = await inTransaction(deps.database, async (tx) =>
      endInvocations(tx, await lockOpen(tx, { invocationIds }), {
        statusDetails,
        audit: auditOf(statusDetails),
        actor: systemActor,
        data: { reason: 'systems-manager' },
      }),
    );
    deps.changes.publish(changes);
  }
}

async function applyEntries(
  { database, changes, clock }: ApplyDeps,
  results: readonly InvocationResult[],
): Promise<void> {
  const reported = results.filter(({ entries }) => entries.length > 0);
  if (reported.length === 0) return;
  const names = await findDeviceNames(
    database.orm,
    reported.map(({ deviceId }) => deviceId),
  );
  const reports = reported.flatMap(({ deviceId, entries }) =>
    entries.map((entry) => ({ deviceId, deviceName: names.get(deviceId) ?? '', entry })),
  );
  const made = await inTransaction(database, async (tx): Promise<Change[]> => {
    const applied = await applyInvocationEntries(tx, reports, clock());
    await recordAudit(tx, applied.audit);
    const settled = await applied.settle();
    const deviceIds = [...new Set(applied.audit.flatMap(({ deviceId }) => deviceId ?? []))];
    return deviceIds.length === 0 ? settled : [...settled, { kind: 'audit-trail', deviceIds }];
  });
  changes.publish(made);
}

const auditOf = (details: NonNullable<InvocationResult['given']>): AuditType =>
  details === 'Delivery Timed Out' ? 'command.timed-out' : 'command.terminated';
