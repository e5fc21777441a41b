import type { RunApproval } from '@deviceportal/contract/run-approvals';
import { isSamePerson } from '../../access/is-same-person.ts';
import { endNotifications } from '../../notifications/end-notifications.ts';
import { findPeopleHolding } from '../../notifications/find-people-holding.ts';
import { notify } from '../../notifications/notify.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { reachesWholeRun } from '../require-whole-run.ts';

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

/** Tells who may approve all of it and did not request it; to others it does not exist. */
export async function tellApprovers(tx: Transaction, run: AwaitingRun): Promise<Change[]> {
  const drafts = [];
  for (const { userId, scopes } of await findPeopleHolding(tx, 'air-blast:approve')) {
    if (await isSamePerson(tx, userId, [run.createdById])) continue;
    if (!(await reachesWholeRun(tx, scopes, run.id))) continue;
    const subject = subjectOf(run);
    drafts.push({ userId, kind: 'run-approval', subject, facts: factsOf(run) } as const);
  }
  return notify(tx, drafts);
}

/** A second person has decided: nobody else is asked, and who requested it hears of it. */
export async function tellDecided(
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
