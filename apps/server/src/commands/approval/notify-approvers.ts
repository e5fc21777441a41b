import type { RunApproval } from '@deviceportal/contract/run-approvals';
import { devicesOfRun } from '../data/devices-of-run.ts';
import { findSamePeople } from '../../access/data/same-people.ts';
import { endNotifications } from '../../notifications/data/end-notifications.ts';
import { findUsersWithPermissionsOn } from '../../access/data/users-with-permission.ts';
import { notify } from '../../notifications/notify.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';

interface AwaitingRun {
  readonly id: string;
  readonly command: string;
  readonly targetCount: number;
  readonly createdById: string;
  readonly createdBy: string;
}

const subjectOf = ({ id }: Pick<AwaitingRun, 'id'>): string => `run-approval:${id}`;

const factsOf = ({ id, command, targetCount, createdBy }: AwaitingRun) => ({
  ...{ runId: id, command, devices: targetCount, by: createdBy },
});

/**
 * Notifies the users who can read and approve the whole run, except its requester. For other users, the run does not
 * exist.
 */
export async function notifyApprovers(tx: Transaction, run: AwaitingRun): Promise<Change[]> {
  const devices = devicesOfRun(run.id);
  const people = await findUsersWithPermissionsOn(
    tx,
    ['air-blast:approve', 'commands:read'],
    devices,
  );
  const same = await findSamePeople(tx, people, [run.createdById]);
  const [kind, subject, facts] = ['run-approval', subjectOf(run), factsOf(run)] as const;
  return notify(
    tx,
    people
      .filter((userId) => !same.includes(userId))
      .map((userId) => ({ userId, kind, subject, facts })),
  );
}

/** After a decision: notifies the requester, and closes the notifications to the other approvers. */
export async function notifyDecision(
  tx: Transaction,
  run: AwaitingRun,
  decision: Omit<NonNullable<RunApproval['decision']>, 'at'>,
): Promise<Change[]> {
  const subject = subjectOf(run);
  await endNotifications(tx, { kind: 'run-approval', subject });
  const { verdict, by, comment } = decision;
  const facts = { ...factsOf(run), by, comment, decision: verdict };
  return notify(tx, [{ userId: run.createdById, kind: 'run-decided', subject, facts }]);
}
