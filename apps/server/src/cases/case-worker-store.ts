import { sql } from 'drizzle-orm';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface FoundWorker {
  readonly userId: string;
  readonly name: string;
  readonly joinedAt: string;
  readonly isIn: boolean;
}

/** In the order in which they came. */
export async function selectWorkers(on: Executor, caseId: string): Promise<FoundWorker[]> {
  const { rows } = await on.execute(sql`
    select user_id as "userId", name, joined_at as "joinedAt", in_since is not null as "isIn"
    from case_worker where case_id = ${caseId} order by joined_at, user_id`);
  return rows as unknown as FoundWorker[];
}

/** Puts the viewer into a case and out of any other. True when they had never worked in it. */
export async function putInto(
  tx: Executor,
  viewer: Viewer,
  { caseId, at }: { readonly caseId: string; readonly at: Date },
): Promise<boolean> {
  // Two tabs may ask at once, each for another case.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`case-worker ${viewer.userId}`}, 0))`,
  );
  await takeOut(tx, viewer.userId);
  const { rows } = await tx.execute<{ fresh: boolean }>(sql`
    insert into case_worker (case_id, user_id, name, joined_at, in_since)
    values (${caseId}, ${viewer.userId}, ${viewer.displayName}, ${at.toISOString()}::timestamptz,
      ${at.toISOString()}::timestamptz)
    on conflict (case_id, user_id) do update set in_since = excluded.in_since, name = excluded.name
    returning xmax = 0 as fresh`);
  return rows[0]?.fresh ?? false;
}

/** The case that the person worked in until now. */
export async function takeOut(on: Executor, userId: string): Promise<string | null> {
  const { rows } = await on.execute<{ id: string }>(sql`
    update case_worker set in_since = null where user_id = ${userId} and in_since is not null
    returning case_id as id`);
  return rows[0]?.id ?? null;
}

export async function takeAllOut(tx: Executor, caseId: string): Promise<void> {
  await tx.execute(
    sql`update case_worker set in_since = null where case_id = ${caseId} and in_since is not null`,
  );
}

export async function findActiveCaseId(on: Executor, userId: string): Promise<string | null> {
  const { rows } = await on.execute<{ id: string }>(sql`
    select case_id as id from case_worker where user_id = ${userId} and in_since is not null`);
  return rows[0]?.id ?? null;
}
