import { findSamePeople } from '../access/data/same-people.ts';
import { endNotifications } from '../notifications/data/end-notifications.ts';
import { findUsersWithPermissionsOn } from '../access/data/users-with-permission.ts';
import { notify } from '../notifications/notify.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { participantsOf } from './operator-policy.ts';
import { devicesOfPlan } from './data/targets/target-set-queries.ts';

/** After the end of a step, notifies approvers of a required approval, and the operator and author of the result. */
export async function notifyStepEnded(tx: Transaction, run: AirBlastRecord): Promise<void> {
  if (run.state === 'approval' || run.pausedFrom === 'approval') return notifyApprovers(tx, run);
  if (run.state !== 'done' && run.state !== 'failed') return;
  const isDone = run.state === 'done';
  const people = new Set([run.operatorId, run.createdById]);
  await notify(
    tx,
    [...people].map((userId) => ({
      userId,
      kind: isDone ? 'air-blast-ended' : 'air-blast-stopped',
      subject: isDone ? subjectOf(run) : `${subjectOf(run)}:${run.step}:${run.attempt}`,
      facts: factsOf(run),
    })),
  );
}

/** After a decision, ends the requests to other approvers, and notifies operator and author of a rejection. */
export async function notifyDecision(tx: Transaction, run: AirBlastRecord): Promise<void> {
  await endNotifications(tx, { kind: 'air-blast-approval', subject: subjectOf(run) });
  if (run.state !== 'failed') return;
  const facts = { ...factsOf(run), reason: 'rejected' };
  const people = new Set([run.operatorId, run.createdById]);
  const subject = `${subjectOf(run)}:rejected`;
  await notify(
    tx,
    [...people].map((userId) => ({ userId, kind: 'air-blast-stopped', subject, facts })),
  );
}

/** Notifies users who can approve all devices and have not planned or operated the rollout. */
async function notifyApprovers(tx: Transaction, run: AirBlastRecord): Promise<void> {
  const people = await findUsersWithPermissionsOn(tx, ['air-blast:approve'], devicesOfPlan(run));
  const same = await findSamePeople(tx, people, await participantsOf(tx, run));
  const [kind, subject, facts] = ['air-blast-approval', subjectOf(run), factsOf(run)] as const;
  await notify(
    tx,
    people
      .filter((userId) => !same.includes(userId))
      .map((userId) => ({ userId, kind, subject, facts })),
  );
}

/** Each plan has its own target set and approval. */
const subjectOf = ({ id, revision }: AirBlastRecord): string => `air-blast:${id}:${revision}`;

const factsOf = (run: AirBlastRecord) => ({
  airBlastId: run.id,
  name: run.name,
  devices: run.targetCount,
  statusDetails: run.state,
  reason: run.stateReason,
  by: run.operator,
});
