import type { Queryable } from '../database/in-transaction.ts';
import type { Ticket } from './ticket.ts';

const COLUMNS = 'user_id as "userId", data, expires_at as "expiresAt"';

export async function insertTicket(
  db: Queryable,
  ticket: Ticket & {
    readonly hash: Buffer;
    readonly purpose: string;
    readonly createdAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into identity.provider_ticket
       (ticket_hash, purpose, user_id, data, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      ticket.hash,
      ticket.purpose,
      ticket.userId,
      JSON.stringify(ticket.data),
      ticket.createdAt,
      ticket.expiresAt,
    ],
  );
}

export async function readTicket(
  db: Queryable,
  hash: Buffer,
  now: Date,
): Promise<Ticket | undefined> {
  const answer = await db.query<Ticket>(
    `select ${COLUMNS} from identity.provider_ticket
      where ticket_hash = $1 and expires_at > $2 and used_at is null`,
    [hash, now],
  );
  return answer.rows[0];
}

export async function spendTicket(
  db: Queryable,
  hash: Buffer,
  now: Date,
): Promise<Ticket | undefined> {
  const answer = await db.query<Ticket>(
    `update identity.provider_ticket set used_at = $2
      where ticket_hash = $1 and expires_at > $2 and used_at is null returning ${COLUMNS}`,
    [hash, now],
  );
  return answer.rows[0];
}
