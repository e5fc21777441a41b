import { isDeepStrictEqual } from 'node:util';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { RowChange, RowOrigin, RowProblem } from '../../imports/row-kind.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  deletePeople,
  findPeopleInUse,
  findUsernamesByEmails,
  lockPeopleByUsername,
} from '../data/import-people-queries.ts';
import { changePeople, changesOf, recordPeople } from './apply-person-rows.ts';
import { valuesOf, type KnownPerson, type PersonValues } from './judge-person-rows.ts';
import { requireAllPeople } from './require-all-people.ts';

interface Stored {
  readonly known: ReadonlyMap<string, KnownPerson>;
  readonly inUse: ReadonlySet<string>;
  /** Usernames by the email addresses to which people would return. */
  readonly holders: ReadonlyMap<string, string>;
}

/** Deletes people who were added and own nothing, and restores the values of others who are as the import left them. */
export async function undoPersonRows(
  tx: Transaction,
  origin: RowOrigin,
  rows: readonly RowChange<PersonValues>[],
): Promise<{ left: readonly (RowProblem | null)[]; changes: readonly Change[] }> {
  requireAllPeople(origin.caller.viewer);
  const people = await lockPeopleByUsername(
    tx,
    rows.map(({ after }) => after.username),
  );
  const added = rows.filter(({ before }) => before === null).map(({ targetId }) => targetId);
  const stored = {
    known: new Map(people.map((person) => [person.id, person])),
    inUse: await findPeopleInUse(tx, added),
    holders: await findUsernamesByEmails(
      tx,
      rows.flatMap(({ before }) => before?.email?.toLowerCase() ?? []),
    ),
  };
  const left = rows.map((row) => {
    const refusal = refusalOf(row, stored);
    return refusal === undefined ? null : { column: null, refusal };
  });
  const undone = rows.filter((_, index) => left[index] === null);
  await changePeople(
    tx,
    origin,
    undone.flatMap(({ targetId, before, after }) =>
      before === null ? [] : [{ targetId, before: after, after: before }],
    ),
  );
  const deleted = undone.filter(({ before }) => before === null);
  await deletePeople(
    tx,
    deleted.map(({ targetId }) => targetId),
  );
  await recordPeople(tx, origin, 'people.deleted', deleted);
  return { left, changes: changesOf(undone) };
}

function refusalOf(
  { targetId, before, after }: RowChange<PersonValues>,
  { known, inUse, holders }: Stored,
): PortalError | undefined {
  const person = known.get(targetId);
  const isSame = person !== undefined && isDeepStrictEqual(valuesOf(person), after);
  if (!isSame || person.erasedAt !== null) return refuse('import-changed-since');
  if (before === null)
    return inUse.has(targetId) || person.userId !== null
      ? refuse('import-changed-since')
      : undefined;
  const holder = before.email === null ? undefined : holders.get(before.email.toLowerCase());
  return holder === undefined || holder === after.username ? undefined : refuse('email-taken');
}
