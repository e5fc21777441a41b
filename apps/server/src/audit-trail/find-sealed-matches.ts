import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { findUsersLike } from '../access/data/user-queries.ts';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import type { Executor } from '../platform/database/database.ts';
import type { AuditSight } from './audit-sight.ts';
import { noMatches, type SealedMatches } from './data/search/text-condition.ts';

/** How a filter's text and address appear in sealed fields: looked up first, so that indexes can be used. */
export async function findSealedMatches(
  on: Executor,
  { text, address, actorId }: Pick<AuditFilter, 'text' | 'address' | 'actorId'>,
  { seesPeople }: Pick<AuditSight, 'seesPeople'>,
): Promise<SealedMatches> {
  if (text === '' && address === null) return noMatches;
  const keys = personalKeysOf(on);
  // People who are not users are found by their full name only.
  const [users, strangers] =
    text === '' || !seesPeople
      ? [[], []]
      : await Promise.all([findUsersLike(on, text), sealedNameOf(on, text)]);
  const names = users.map(({ id, username }) => ({ person: id, text: username }));
  return {
    userIds: users.map(({ id }) => id),
    names: [...(await keys.sealKnown(on, names)), ...strangers],
    addresses: address === null ? [] : await formsOfAddress(on, address, actorId),
  };
}

/** With a person to filter by, under their key alone. */
async function formsOfAddress(
  on: Executor,
  text: string,
  actorId: string | null,
): Promise<string[]> {
  const keys = personalKeysOf(on);
  return actorId === null
    ? keys.formsOf(on, text)
    : keys.sealKnown(on, [{ person: actorId, text }]);
}

async function sealedNameOf(on: Executor, text: string): Promise<string[]> {
  const keys = personalKeysOf(on);
  const [person = ''] = await keys.peopleNamed(on, [text]);
  return [
    ...(await keys.sealKnown(on, [{ person, text }])),
    ...(await keys.formsOfUnknownName(on, text)),
  ];
}
