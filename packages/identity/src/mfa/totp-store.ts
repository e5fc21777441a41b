import type { Queryable } from '../database/in-transaction.ts';

/** An authenticator app of a person; before it is confirmed it proves nothing. */
export interface StoredTotp {
  readonly id: string;
  readonly userId: string;
  readonly enabled: boolean;
  readonly secretBox: Buffer;
  /** The last time step that counted. */
  readonly lastStep: number | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

const COLUMNS = `id, user_id as "userId", enabled, secret_box as "secretBox",
  last_step::float8 as "lastStep", created_at as "createdAt", modified_at as "modifiedAt"`;

/** Newest first; one at most is enabled, and one at most is not. */
export async function listTotps(db: Queryable, userId: string): Promise<StoredTotp[]> {
  const answer = await db.query<StoredTotp>(
    `select ${COLUMNS} from identity.provider_totp where user_id = $1 order by created_at desc`,
    [userId],
  );
  return answer.rows;
}

/** Replaces an app that waits for its confirmation. */
export async function replacePendingTotp(
  db: Queryable,
  totp: Pick<StoredTotp, 'id' | 'userId' | 'secretBox' | 'createdAt'> & {
    readonly recoveryHash: Buffer;
  },
): Promise<void> {
  await db.query(
    `insert into identity.provider_totp
       (id, user_id, enabled, secret_box, recovery_hash, created_at, modified_at)
     values ($1, $2, false, $3, $4, $5, $5)
     on conflict (user_id, enabled) do update set id = excluded.id,
       secret_box = excluded.secret_box, recovery_hash = excluded.recovery_hash, last_step = null,
       created_at = excluded.created_at, modified_at = excluded.modified_at`,
    [totp.id, totp.userId, totp.secretBox, totp.recoveryHash, totp.createdAt],
  );
}

/** @returns false if another app was confirmed in the meantime, or this one was replaced */
export async function enableTotp(
  db: Queryable,
  id: string,
  { at, lastStep }: { readonly at: Date; readonly lastStep: number | null },
): Promise<boolean> {
  const answer = await db.query(
    `update identity.provider_totp t set enabled = true, modified_at = $2, last_step = $3
      where id = $1 and not enabled and not exists (
        select 1 from identity.provider_totp o where o.user_id = t.user_id and o.enabled)`,
    [id, at, lastStep],
  );
  return answer.rowCount === 1;
}

/** A code is accepted once; of concurrent uses, one succeeds. */
export async function takeStep(db: Queryable, id: string, step: number): Promise<boolean> {
  const answer = await db.query(
    `update identity.provider_totp set last_step = $2
      where id = $1 and enabled and (last_step is null or last_step < $2)`,
    [id, step],
  );
  return answer.rowCount === 1;
}

/** Uses up a recovery code; of concurrent uses, one succeeds. */
export async function takeRecoveryCode(
  db: Queryable,
  userId: string,
  { recoveryHash, at }: { readonly recoveryHash: Buffer; readonly at: Date },
): Promise<boolean> {
  const answer = await db.query(
    `update identity.provider_totp set recovery_hash = null, modified_at = $3
      where user_id = $1 and enabled and recovery_hash = $2`,
    [userId, recoveryHash, at],
  );
  return answer.rowCount === 1;
}

/** @returns whether one was enabled */
export async function deleteTotps(db: Queryable, userId: string): Promise<boolean> {
  const answer = await db.query<{ enabled: boolean }>(
    'delete from identity.provider_totp where user_id = $1 returning enabled',
    [userId],
  );
  return answer.rows.some(({ enabled }) => enabled);
}
