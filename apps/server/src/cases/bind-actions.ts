import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { Transaction } from '../platform/database/database.ts';
import { insertEntries, type EntryDraft } from './data/case-entry-queries.ts';

/** An action of a user or a service in a case, as recorded in the audit trail. */
export interface BoundAction {
  readonly caseId: string;
  readonly at: Date;
  readonly actorId: string;
  readonly actor: string;
  readonly type: AuditType;
  readonly deviceId: string | null;
  readonly runId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Recorded in the case in another way, or not part of support: changes of the case itself, location views (look-ups),
 * and access control.
 */
const RECORDED_ELSEWHERE = /^(case\.|access\.|device\.location-viewed$)/;

/** Adds actions to their cases in the transaction of the actions. The same action on many devices is one entry. */
export async function bindActions(tx: Transaction, actions: readonly BoundAction[]): Promise<void> {
  const recorded = actions.filter(({ type }) => !RECORDED_ELSEWHERE.test(type));
  const groups = Map.groupBy(
    recorded,
    ({ caseId, type, runId }) => `${caseId} ${type} ${runId ?? ''}`,
  );
  await insertEntries(tx, [...groups.values()].map(entryOf));
}

function entryOf(actions: readonly BoundAction[]): EntryDraft {
  const [first] = actions as readonly [BoundAction, ...BoundAction[]];
  const { type, deviceId, data, ...entry } = first;
  const isCommand = type === 'command.requested';
  return {
    ...entry,
    kind: isCommand ? 'command' : 'act',
    deviceId: actions.length === 1 ? deviceId : null,
    data: { type, ...data, ...(actions.length > 1 && { devices: actions.length }) },
  };
}
