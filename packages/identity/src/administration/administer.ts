import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { IdentitySettings } from '../cognito/settings.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { ActKind, ActOrigin, AdministrationAct, WriteAct } from './administration-act.ts';

export interface AdministrationContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  readonly writeAct: WriteAct;
}

/** An action in progress. The change and its record are in one transaction. */
export interface Administering {
  readonly client: pg.PoolClient;
  readonly now: Date;
  readonly write: (
    kind: ActKind,
    about: {
      readonly user?: AdministrationAct['user'] | undefined;
      readonly detail?: Readonly<Record<string, unknown>>;
    },
  ) => Promise<void>;
}

/** Runs an act of administration: it is done and written down, or neither. */
export function administer<T>(
  { pool, clock, writeAct }: Pick<AdministrationContext, 'pool' | 'clock' | 'writeAct'>,
  origin: ActOrigin,
  work: (administering: Administering) => Promise<T>,
): Promise<T> {
  const now = new Date(clock.now());
  return inTransaction(pool, (client) =>
    work({
      client,
      now,
      write: (kind, { user, detail = {} }) =>
        writeAct(client, {
          ...origin,
          kind,
          at: now,
          user: user && { sub: user.sub, username: user.username },
          detail,
        }),
    }),
  );
}
