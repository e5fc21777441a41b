import { endNotifications } from '../notifications/end-notifications.ts';
import { findPeopleHolding } from '../notifications/find-people-holding.ts';
import { notify } from '../notifications/notify.ts';
import { isEverywhere } from '../devices/device-scope-condition.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { AirBlastRecord } from './air-blast-store.ts';
import { isSecondPerson } from './operator-policy.ts';
import { countBeyond } from './target-set-store.ts';

/** Tells whom a step that has just ended concerns: its people of its end, second persons of what they may approve. */
export async function tellStepEnded(tx: Transaction, run: AirBlastRecord): Promise<void> {
  if (run.state === 'approval' || run.pausedFrom === 'approval') return tellApprovers(tx, run);
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

/** A second person has decided: nobody else is asked, and the run's people hear of a no. */
export async function tellDecision(tx: Transaction, run: AirBlastRecord): Promise<void> {
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

/** Who may approve all of it and had no hand in it; to others it does not exist. */
async function tellApprovers(tx: Transaction, run: AirBlastRecord): Promise<void> {
  const drafts = [];
  for (const { userId, scopes } of await findPeopleHolding(tx, 'air-blast:approve')) {
    if (!(await isSecondPerson(tx, run, userId))) continue;
    if (!scopes.some(isEverywhere) && (await countBeyond(tx, run, scopes)) > 0) continue;
    const subject = subjectOf(run);
    drafts.push({ userId, kind: 'air-blast-approval', subject, facts: factsOf(run) } as const);
  }
  await notify(tx, drafts);
}

/** Each plan has a target set of its own, and so an approval. */
const subjectOf = ({ id, revision }: AirBlastRecord): string => `air-blast:${id}:${revision}`;

const factsOf = (run: AirBlastRecord) => ({
  airBlastId: run.id,
  name: run.name,
  devices: run.targetCount,
  statusDetails: run.state,
  reason: run.stateReason,
  by: run.operator,
});
