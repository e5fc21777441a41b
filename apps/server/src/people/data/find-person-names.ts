import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { person } from './people-tables.ts';

/** Names by id, unmasked; the caller masks them by the viewer's permissions. */
export async function findPersonNames(
  on: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await on
    .select({ id: person.id, name: person.name })
    .from(person)
    .where(isAnyOf(person.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
