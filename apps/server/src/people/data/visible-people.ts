import { and } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { personVisibilityOf, seesAllPeople } from './person-visibility.ts';

/** Numbers of people whose visibility is checked at a time: the first ones usually suffice. */
const CHECKED = [60, 400, 2_000];

/** The first of these people, in their order, whom the viewer sees by name. */
export async function firstVisible<Found extends { readonly id: string }>(
  on: Executor,
  viewer: Viewer,
  { people, limit }: { readonly people: readonly Found[]; readonly limit: number },
): Promise<Found[]> {
  if (seesAllPeople(viewer)) return people.slice(0, limit);
  const visible: Found[] = [];
  let from = 0;
  for (const size of CHECKED) {
    const some = people.slice(from, from + size);
    if (some.length === 0 || visible.length >= limit) break;
    from += size;
    const rows = await on
      .select({ id: person.id })
      .from(person)
      .where(
        and(
          isAnyOf(
            person.id,
            some.map(({ id }) => id),
          ),
          personVisibilityOf(viewer, person.id).named,
        ),
      );
    const ids = new Set(rows.map(({ id }) => id));
    visible.push(...some.filter(({ id }) => ids.has(id)));
  }
  return visible.slice(0, limit);
}
