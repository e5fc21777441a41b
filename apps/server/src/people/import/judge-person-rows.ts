import { isDeepStrictEqual } from 'node:util';
import type { PortalError } from '@deviceportal/contract/errors';
import type { ImportColumn } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import type { RowProblem, Verdict } from '../../imports/row-kind.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { findUsernamesByEmails, lockPeopleByUsername } from '../data/import-people-queries.ts';
import type { GivenPerson } from './parse-person-row.ts';
import { requireAllPeople } from './require-all-people.ts';

/** What an import writes of a person. */
export interface PersonValues {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly language: string | null;
}

export type KnownPerson = Awaited<ReturnType<typeof lockPeopleByUsername>>[number];

/**
 * Checks rows against stored people, who are locked. The caller manages all people, so nothing that they may not see is
 * revealed.
 * @throws PortalError 1000 otherwise
 */
export async function judgePersonRows(
  tx: Transaction,
  caller: Caller,
  rows: readonly GivenPerson[],
): Promise<readonly Verdict<PersonValues>[]> {
  requireAllPeople(caller.viewer);
  const people = await lockPeopleByUsername(
    tx,
    rows.map(({ username }) => username),
  );
  const known = new Map(people.map((person) => [person.username, person]));
  const holders = await findUsernamesByEmails(
    tx,
    rows.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()])),
  );
  return rows.map((given) => {
    const stored = known.get(given.username);
    const problem = problemOf(given, stored, holders);
    return problem === undefined
      ? verdictOf(given, stored)
      : { outcome: 'refused' as const, problem };
  });
}

function verdictOf(given: GivenPerson, stored: KnownPerson | undefined): Verdict<PersonValues> {
  const after = merged(given, stored);
  if (stored === undefined) return { outcome: 'new', targetId: null, before: null, after };
  const before = valuesOf(stored);
  const outcome = isDeepStrictEqual(before, after) ? 'unchanged' : 'changed';
  return { outcome, targetId: stored.id, before, after };
}

export const valuesOf = ({
  username,
  name,
  email,
  phone,
  country,
  language,
}: KnownPerson): PersonValues => ({ username, name, email, phone, country, language });

/** Empty cells do not change stored values. */
const merged = (given: GivenPerson, stored: KnownPerson | undefined): PersonValues => ({
  username: given.username,
  name: given.name ?? stored?.name ?? given.username,
  email: given.email ?? stored?.email ?? null,
  phone: given.phone ?? stored?.phone ?? null,
  country: given.country ?? stored?.country ?? null,
  language: given.language ?? stored?.language ?? null,
});

/** An email address leads to one person, also at the import of their devices. */
function problemOf(
  given: GivenPerson,
  stored: KnownPerson | undefined,
  holders: ReadonlyMap<string, string>,
): RowProblem | undefined {
  const at = (column: ImportColumn, refusal: PortalError): RowProblem => ({ column, refusal });
  if (stored !== undefined && stored.erasedAt !== null)
    return at('username', refuse('already-erased'));
  if (stored === undefined && given.name === null) return at('name', refuse('person-name-missing'));
  const holder = given.email === null ? undefined : holders.get(given.email.toLowerCase());
  if (holder === undefined || holder === given.username) return undefined;
  return at('email', refuse('email-taken'));
}
