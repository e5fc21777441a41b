import type { z } from 'zod';
import type { CaseDetail, openCaseInput } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import type { ReachingUser } from '../access/data/users-reaching.ts';
import type { Change } from '../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { nameOf } from './assignee-name.ts';
import { priorityRank } from './case-priority.ts';
import {
  casesOfLastDay,
  findOwnOpenCase,
  insertCase,
  isPersonVisible,
  otherOpenCases,
} from './data/case-queries.ts';
import { joinCase, setActiveCase } from './data/case-worker-queries.ts';
import { spellingOfQueue } from './data/find-queues.ts';
import type { CasesDeps } from './cases-deps.ts';
import { enterCase } from './enter-case.ts';
import { getCase } from './get-case.ts';
import { recordAssignment } from './record-assignment.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireAssignee } from './require-assignee.ts';

type OpenCase = z.infer<typeof openCaseInput>;
interface NewId {
  readonly id: string;
  readonly at: Date;
}

/**
 * Opens a case for a person and makes it the viewer's active one. A viewer who already has an open case for the person
 * continues in that one, so a second click creates no second case.
 *
 * @throws PortalError notFound (2003) if the person is not visible to the viewer
 */
export async function openCase(
  deps: CasesDeps,
  caller: Caller,
  input: OpenCase,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const made = { id: newId(), at: deps.clock() };
  const changes = await inTransaction(deps.database, async (tx) => {
    await requirePerson(tx, viewer, input.personId);
    const existing = otherOpenCases(viewer.userId, input.personId);
    await requireRoom(tx, { limit: 'openCases', of: viewer.userId, existing });
    return create(tx, caller, { ...input, ...made });
  });
  if (changes !== undefined) {
    deps.changes.publish([...changes, ...caseChanges(made.id)]);
    return getCase(deps, viewer, made.id);
  }
  const id = await findOwnOpenCase(deps.database.orm, { ...input, userId: viewer.userId });
  if (id === undefined) throw new PortalError('notFound', { facts: { person: input.personId } });
  return viewer.apiToken === undefined ? enterCase(deps, caller, id) : getCase(deps, viewer, id);
}

/** Undefined if the viewer already has an open case for the person. */
async function create(
  tx: Transaction,
  caller: Caller,
  input: OpenCase & NewId,
): Promise<Change[] | undefined> {
  const { viewer } = caller;
  const { id, at, personId, ticket, about, priority, dueAt } = input;
  const assignee = await assigneeOf(tx, viewer, input);
  const queue = await spellingOfQueue(tx, input.queue);
  const isCreated = await insertCase(tx, viewer, {
    ...{ id, at, personId, ticket, about, queue },
    priority: priorityRank(priority),
    assigneeId: assignee?.id ?? null,
    assignee: assignee && nameOf(assignee),
    dueAt: dueAt === null ? null : new Date(dueAt),
  });
  if (!isCreated) return undefined;
  const today = casesOfLastDay(viewer.userId, id);
  await requireRoom(tx, { limit: 'cases', of: viewer.userId, existing: today });
  // The case that the user works in is the one on their screen.
  const join = viewer.apiToken === undefined ? setActiveCase : joinCase;
  await join(tx, viewer, { caseId: id, at });
  await recordInCase(tx, caller, {
    ...{ caseId: id, at },
    entry: { kind: 'opened', data: { ticket, about } },
    audit: {
      type: 'case.opened',
      data: { personId, ticket, priority, ...(queue && { queue }), ...(dueAt && { dueAt }) },
    },
  });
  if (assignee === null || assignee.id === viewer.userId) return [];
  const found = { id, personId, priority: priorityRank(priority) };
  return recordAssignment(tx, caller, { found, assignee, at });
}

/** The viewer, if the input does not say otherwise. */
async function assigneeOf(
  tx: Transaction,
  { userId, username, displayName: name }: Viewer,
  { personId, assigneeId = userId }: OpenCase,
): Promise<ReachingUser | null> {
  if (assigneeId === null) return null;
  if (assigneeId === userId) return { id: userId, username, name };
  return requireAssignee(tx, personId, assigneeId);
}

async function requirePerson(tx: Transaction, viewer: Viewer, id: string): Promise<void> {
  if (!(await isPersonVisible(tx, viewer, id)))
    throw new PortalError('notFound', { facts: { person: id } });
}
