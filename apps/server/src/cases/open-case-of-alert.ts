import { newId } from '@deviceportal/contract/ids';
import { growthLimits } from '@deviceportal/contract/growth-limits';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { priorityRank } from './case-priority.ts';
import { insertEntries } from './data/case-entry-queries.ts';
import { countCases, findOwnOpenCase, insertCase, isPersonVisible } from './data/case-queries.ts';
import { joinCase } from './data/case-worker-queries.ts';

/** What a case records of an alert. */
export interface AlertOfCase {
  readonly alertId: string;
  readonly rule: string;
  readonly isCritical: boolean;
  readonly at: Date;
}

/**
 * Opens a case for a person in the name of the owner of an alert rule, or continues in the one that the owner already
 * has open, and records the alert and the devices in it. The case that the owner works in stays the same.
 *
 * @param viewer the owner of the rule, with current permissions
 * @returns the case; undefined if the owner may not open it, or has too many
 */
export async function openCaseOfAlert(
  tx: Transaction,
  viewer: Viewer,
  {
    personId,
    deviceIds,
    alert,
  }: {
    readonly personId: string;
    readonly deviceIds: readonly string[];
    readonly alert: AlertOfCase;
  },
): Promise<string | undefined> {
  if (!(await isPersonVisible(tx, viewer, personId))) return undefined;
  const open = await findOwnOpenCase(tx, { personId, userId: viewer.userId });
  const caseId = open ?? (await create(tx, viewer, { personId, alert }));
  if (caseId === undefined) return undefined;
  const { alertId, rule, at } = alert;
  await insertEntries(
    tx,
    deviceIds.map((deviceId) => ({
      ...{ caseId, at, deviceId, kind: 'act' as const },
      ...{ actorId: viewer.userId, actor: systemActor.name },
      data: { type: 'alert.fired', alertId, rule },
    })),
  );
  return caseId;
}

async function create(
  tx: Transaction,
  viewer: Viewer,
  { personId, alert }: { readonly personId: string; readonly alert: AlertOfCase },
): Promise<string | undefined> {
  const { userId, displayName } = viewer;
  const counts = await countCases(tx, userId);
  if (counts.open >= growthLimits.openCases.most || counts.ofLastDay >= growthLimits.cases.most) {
    return undefined;
  }
  const { alertId, rule, isCritical, at } = alert;
  const id = newId();
  const priority = isCritical ? 'high' : 'normal';
  const isCreated = await insertCase(tx, viewer, {
    ...{ id, at, personId, ticket: '', about: rule, queue: '', dueAt: null },
    ...{ priority: priorityRank(priority), assigneeId: userId, assignee: displayName },
  });
  // Another transaction has opened it.
  if (!isCreated) return findOwnOpenCase(tx, { personId, userId });
  await joinCase(tx, viewer, { caseId: id, at });
  await insertEntries(tx, [
    {
      ...{ caseId: id, at, kind: 'opened', actorId: userId, actor: systemActor.name },
      data: { ticket: '', about: rule },
    },
  ]);
  await recordAudit(tx, [
    {
      type: 'case.opened',
      actor: systemActor,
      ...{ caseId: id, at },
      data: { caseId: id, personId, ticket: '', priority, alertId, rule },
    },
  ]);
  return id;
}
