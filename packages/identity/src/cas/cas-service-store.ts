import type { Queryable } from '../database/in-transaction.ts';

/** A service with a session of its own, which began with this ticket. */
export interface CasService {
  readonly id: string;
  readonly sessionId: string;
  readonly appId: string;
  /** The address that the ticket was for. */
  readonly service: string;
  /** Sealed for the owner `id`. */
  readonly ticketBox: Buffer;
}

/** A service to be notified that the session has ended. */
export interface ToldCasService extends Omit<CasService, 'sessionId'> {
  /** How often it was tried, with this time. */
  readonly attempts: number;
}

/**
 * Registers a service for notification at the end of the session: at its expiry, or earlier by the
 * trigger of the session's row.
 */
export async function insertCasService(
  db: Queryable,
  { id, sessionId, appId, service, ticketBox }: CasService,
): Promise<void> {
  await db.query(
    `insert into identity.provider_cas_service (id, session_id, app_id, service, ticket_box, next_at)
     select $1, p.id, $3, $4, $5, coalesce(p.revoked_at, p.expires_at)
       from identity.provider_session p where p.id = $2 for share`,
    [id, sessionId, appId, service, ticketBox],
  );
}

/**
 * Takes services whose sign-in has ended, for one attempt: another server does not get them before `retryAt`.
 * @param sessionId only those of this sign-in
 */
export async function takeCasServicesToTell(
  db: Queryable,
  {
    now,
    retryAt,
    limit,
    sessionId,
  }: {
    readonly now: Date;
    readonly retryAt: Date;
    readonly limit: number;
    readonly sessionId: string | undefined;
  },
): Promise<ToldCasService[]> {
  const answer = await db.query<ToldCasService>(
    `with due as (
       select s.id from identity.provider_cas_service s
         join identity.provider_session p on p.id = s.session_id
        where (p.revoked_at is not null or p.expires_at <= $1) and s.next_at <= $1
          and ($4::text is null or s.session_id = $4)
        order by s.next_at limit $3 for update of s skip locked)
     update identity.provider_cas_service s set attempts = s.attempts + 1, next_at = $2
       from due where s.id = due.id
     returning s.id, s.app_id as "appId", s.service, s.ticket_box as "ticketBox", s.attempts`,
    [now, retryAt, limit, sessionId ?? null],
  );
  return answer.rows;
}

export async function deleteCasServices(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query('delete from identity.provider_cas_service where id = any($1)', [ids]);
}
