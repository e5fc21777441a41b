import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { StatusDetails } from '@deviceportal/contract/states';
import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { lockOverdue, type OverdueKind } from '../data/execution/expiry-queries.ts';
import type { OpenInvocation } from '../data/execution/open-invocation-queries.ts';
import { endInvocations } from './end-invocations.ts';

const SWEEP_LIMIT = 1_000;
export interface Expired {
  /** Changes to publish after commit. */
  readonly changes: Change[];
  /** Possibly still running on their devices, where they must be stopped. */
  readonly running: readonly OpenInvocation[];
  readonly again: boolean;
}

/** In this order: the first matching rule ends an invocation. */
const rules: readonly (readonly [OverdueKind, StatusDetails])[] = [
  ['approval', 'Terminated'],
  ['cancelling', 'Cancelled'],
  ['started', 'Execution Timed Out'],
  ['unfinished', 'Delivery Timed Out'],
  ['undelivered', 'Delivery Timed Out'],
  ['tooLong', 'Execution Timed Out'],
];

/** Ends timed-out invocations. */
export async function expireInvocations(database: Pick<Database, 'orm'>): Promise<Expired> {
  const all: Expired[] = [];
  for (const rule of rules) all.push(await inTransaction(database, (tx) => expire(tx, rule)));
  return {
    changes: all.flatMap(({ changes }) => changes),
    running: all.flatMap(({ running }) => running),
    again: all.some(({ again }) => again),
  };
}

async function expire(
  tx: Transaction,
  [kind, statusDetails]: readonly [OverdueKind, StatusDetails],
): Promise<Expired> {
  const locked = await lockOverdue(tx, kind, SWEEP_LIMIT);
  const changes = await endInvocations(tx, locked, {
    statusDetails,
    audit: auditTypeOf(statusDetails),
    actor: systemActor,
  });
  return {
    changes,
    running: locked.filter(({ sent }) => sent),
    again: locked.length === SWEEP_LIMIT,
  };
}

function auditTypeOf(statusDetails: StatusDetails): AuditType {
  if (statusDetails === 'Cancelled') return 'command.cancelled';
  return statusDetails === 'Terminated' ? 'command.terminated' : 'command.timed-out';
}
