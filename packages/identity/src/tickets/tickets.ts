import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { randomSecret, type SecretHash } from '../secrets/secret-hash.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { insertTicket, readTicket, spendTicket } from './ticket-store.ts';
import type { Ticket } from './ticket.ts';

export interface NewTicket {
  /** Names the use, such as `mfa`, `reset-password`, `cas-service`. */
  readonly purpose: string;
  readonly userId?: string | undefined;
  /** JSON. */
  readonly data?: unknown;
  readonly lifeMs: number;
  /** Bytes of entropy; the text has a third more characters. */
  readonly bytes?: number;
}

/** Random texts that temporarily stand for data. Only their hash is stored. */
export interface Tickets {
  /** @returns the text, base64url */
  issue(ticket: NewTicket, db?: Queryable): Promise<string>;
  /**
   * Reads the data without using the ticket up.
   * @throws ProviderError ticketHasEnded
   */
  read(purpose: string, text: string, db?: Queryable): Promise<Ticket>;
  /**
   * Uses the ticket up; of concurrent uses, one succeeds.
   * @throws ProviderError ticketHasEnded
   */
  spend(purpose: string, text: string, db?: Queryable): Promise<Ticket>;
}

const DEFAULT_BYTES = 32;

export function createTickets(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly hash: SecretHash;
}): Tickets {
  const { db: pool, clock } = options;
  const key = (purpose: string, text: string): Buffer =>
    options.hash('provider-ticket', purpose, text);
  const found = (ticket: Ticket | undefined): Ticket => {
    if (ticket === undefined) throw new ProviderError(refusals.ticketHasEnded);
    return ticket;
  };
  return {
    async issue({ purpose, userId, data, lifeMs, bytes = DEFAULT_BYTES }, db = pool) {
      const text = randomSecret(bytes);
      const nowMs = clock.now();
      await insertTicket(db, {
        hash: key(purpose, text),
        purpose,
        userId: userId ?? null,
        data: data ?? null,
        createdAt: new Date(nowMs),
        expiresAt: new Date(nowMs + lifeMs),
      });
      return text;
    },
    read: async (purpose, text, db = pool) =>
      found(await readTicket(db, key(purpose, text), new Date(clock.now()))),
    spend: async (purpose, text, db = pool) =>
      found(await spendTicket(db, key(purpose, text), new Date(clock.now()))),
  };
}
