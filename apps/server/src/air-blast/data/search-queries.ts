import { and, desc, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { builtOnce } from '../../platform/database/built-once.ts';
import {
  containsWanted,
  visibleRowsOfEach,
  wantedParams,
  wantedPosition,
  wantedTexts,
} from '../../platform/database/contains-wanted.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { airBlast } from './air-blast-tables.ts';
import { isRolloutWithin } from './is-rollout-within.ts';

/** Search by words covers only the newest rollouts. */
const NEWEST = 500;

const rolloutsByWords = builtOnce((on) => {
  const { id, name, reason, command, component, version, state, createdAt } = airBlast;
  const newest = on
    .select({ id, name, reason, command, component, version, state, createdAt })
    .from(airBlast)
    .orderBy(desc(createdAt), desc(id))
    .limit(NEWEST)
    .as('newest');
  const searched = sql`lower(concat_ws(' ', ${newest.name}, ${newest.reason}, ${newest.command},
    ${newest.component}, ${newest.version}, ${newest.id}))`;
  return on
    .select({
      position: wantedPosition,
      id: newest.id,
      name: newest.name,
      command: newest.command,
      change: sql<string>`concat_ws(' ', ${newest.component}, ${newest.version})`,
      state: newest.state,
      at: newest.createdAt,
    })
    .from(wantedTexts)
    .innerJoin(newest, containsWanted(searched))
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .prepare('rollouts-by-words');
});

/** For each of some texts, the rollouts whose name, reason, change, or ID contains each of its words. */
export async function searchAirBlasts(
  on: Executor,
  {
    texts,
    scopes,
    limit,
  }: {
    readonly texts: readonly string[];
    readonly scopes: readonly Scope[];
    readonly limit: number;
  },
) {
  const found = await rolloutsByWords(on).execute(wantedParams(texts));
  const visibleOf = (ids: readonly string[]) =>
    on
      .select({ id: airBlast.id })
      .from(airBlast)
      .where(and(isAnyOf(airBlast.id, ids), isRolloutWithin(scopes)));
  return visibleRowsOfEach(texts, found, { visibleOf, limit });
}
