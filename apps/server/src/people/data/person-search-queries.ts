import { getTableColumns, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { estimateRows, sampleOf } from '../../platform/database/estimate-rows.ts';
import { sampled } from '../../platform/database/sampled.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { namesAllPeople, personVisibilityOf } from './person-visibility.ts';

/** Conditions that select people, of two kinds. */
export interface PersonConditions {
  /** Each uses its own index. */
  readonly exact: readonly SQL[];
  /** Use trigrams; if many people match, only some are examined. */
  readonly vague: readonly SQL[];
}

/** A text that matches more people than this is not looked up; some of them are found among a sample. */
const MAX_LOOKED_UP = 5_000;
const SCATTERED = 4_000;
const RANKED = 200;
/** Number of ranked candidates for a viewer who may see only some people. */
const RANKED_WITHIN_SCOPE = 2_000;

/** People whom the viewer sees by name. */
export async function findNamedPeople(on: Executor, viewer: Viewer, conditions: PersonConditions) {
  const most = namesAllPeople(viewer) ? RANKED : RANKED_WITHIN_SCOPE;
  const some = (where: SQL, sample?: SQL) =>
    on
      .select(getTableColumns(person))
      .from(sampled(person, sample))
      .where(where)
      .limit(most)
      .$dynamic();
  const samples = await Promise.all(conditions.vague.map((where) => sampleIfCommon(on, where)));
  const [first, ...others] = [
    ...conditions.exact.map((where) => some(where)),
    ...conditions.vague.map((where, position) => some(where, samples[position])),
  ];
  if (first === undefined) return [];
  const found = others.reduce((all, piece) => all.union(piece), first).as('found');
  return on
    .select({
      id: found.id,
      name: found.name,
      username: found.username,
      email: found.email,
      phone: found.phone,
    })
    .from(found)
    .where(personVisibilityOf(viewer, found.id).named)
    .limit(RANKED);
}

async function sampleIfCommon(on: Executor, where: SQL): Promise<SQL | undefined> {
  const matching = on.select({ id: person.id }).from(person).where(where);
  const isCommon = (await estimateRows(on, matching.getSQL())) > MAX_LOOKED_UP;
  return isCommon ? sampleOf(on, 'person', SCATTERED) : undefined;
}
