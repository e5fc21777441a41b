import type { Queryable } from '../database/in-transaction.ts';

/** Servers that have subscribers listen here. */
export const EVENT_CHANNEL = 'deviceportal_provider_event';

export interface StoredEvent {
  readonly id: number;
  readonly userId: string;
  readonly name: string;
  readonly data: string;
}

const COLUMNS = 'id::float8 as id, user_id as "userId", name, data';

/** Stores an event and notifies all servers in one statement. */
export async function insertEvent(
  db: Queryable,
  event: Omit<StoredEvent, 'id'> & { readonly source: string | null; readonly at: Date },
): Promise<void> {
  await db.query(
    `with event as (
       insert into identity.provider_event (user_id, name, source, data, created_at)
       values ($1, $2, $3, $4, $5) returning id)
     select pg_notify($6, json_build_object('id', id, 'userId', $1::text)::text) from event`,
    [event.userId, event.name, event.source, event.data, event.at, EVENT_CHANNEL],
  );
}

export async function readEvents(db: Queryable, ids: readonly number[]): Promise<StoredEvent[]> {
  const answer = await db.query<StoredEvent>(
    `select ${COLUMNS} from identity.provider_event where id = any ($1::bigint[]) order by id`,
    [[...ids]],
  );
  return answer.rows;
}

/** Events that were published while this server was not listening. */
export async function readEventsSince(
  db: Queryable,
  since: Date,
  userIds: readonly string[],
): Promise<StoredEvent[]> {
  const answer = await db.query<StoredEvent>(
    `select ${COLUMNS} from identity.provider_event
      where created_at >= $1 and user_id = any ($2) order by id`,
    [since, [...userIds]],
  );
  return answer.rows;
}

/** The active ones of these sessions, whose users can sign in. */
export async function findSessionsInForce(
  db: Queryable,
  sessionIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const answer = await db.query<{ id: string }>(
    `select s.id from identity.provider_session s join identity.provider_user u on u.id = s.user_id
      where s.id = any ($1) and s.revoked_at is null and s.expires_at > $2
        and not u.blocked and u.status = 'Activated'`,
    [[...sessionIds], now],
  );
  return new Set(answer.rows.map(({ id }) => id));
}

export async function deleteOldEvents(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.provider_event where created_at < $1', [before]);
}
