import { and, desc, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { airBlast } from './air-blast-tables.ts';
import { isRolloutWithin } from './is-rollout-within.ts';

/** Search by words covers only the newest rollouts. */
const NEWEST = 500;

/** Rollouts whose name, reason, change, or ID contains each of the words, in lowercase. */
export async function searchAirBlasts(
  on: Executor,
  {
    words,
    scopes,
    limit,
  }: {
    readonly words: readonly string[];
    readonly scopes: readonly Scope[];
    readonly limit: number;
  },
) {
  const { id, name, reason, command, component, version, state, createdAt, revision } = airBlast;
  const newest = on
    .select({ id, name, reason, command, component, version, state, createdAt, revision })
    .from(airBlast)
    .orderBy(desc(createdAt), desc(id))
    .limit(NEWEST)
    .as('newest');
  const searched = sql`lower(concat_ws(' ', ${newest.name}, ${newest.reason}, ${newest.command},
    ${newest.component}, ${newest.version}, ${newest.id}))`;
  return on
    .select({
      id: newest.id,
      name: newest.name,
      command: newest.command,
      change: sql<string>`concat_ws(' ', ${newest.component}, ${newest.version})`,
      state: newest.state,
      at: newest.createdAt,
    })
    .from(newest)
    .where(
      and(
        ...words.map((word) => sql`strpos(${searched}, ${word}) > 0`),
        isRolloutWithin(scopes, newest),
      ),
    )
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .limit(limit);
}
