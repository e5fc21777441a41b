import { and, eq, ne, sql } from 'drizzle-orm';
import { portalNow } from '../columns.ts';
import type { Orm } from '../database/database.ts';
import { excluded } from '../database/excluded.ts';
import { sealedSecret } from '../platform-tables.ts';

export interface SealedSecret {
  readonly keyArn: string;
  readonly name: string;
  /** Encrypted by KMS, base64. */
  readonly dataKey: string;
  readonly sealed: string;
}

const { keyArn, name, dataKey, sealed } = sealedSecret;
const isOne = (secret: Pick<SealedSecret, 'keyArn' | 'name'>) =>
  and(eq(keyArn, secret.keyArn), eq(name, secret.name));

/** False on a database of an earlier release, and on an empty one. */
export async function storesSealedSecrets(orm: Orm): Promise<boolean> {
  const [found] = await orm
    .select({ table: sql<string | null>`found` })
    .from(sql`to_regclass('public.sealed_secret') as found`);
  return found?.table !== null;
}

export async function readSealedSecret(
  orm: Orm,
  wanted: Pick<SealedSecret, 'keyArn' | 'name'>,
): Promise<SealedSecret | undefined> {
  const [found] = await orm
    .select({ keyArn, name, dataKey, sealed })
    .from(sealedSecret)
    .where(isOne(wanted));
  return found;
}

/** Stores a secret unless it exists. */
export async function insertSealedSecret(orm: Orm, secret: SealedSecret): Promise<void> {
  await orm.insert(sealedSecret).values(secret).onConflictDoNothing();
}

export async function replaceSealedSecret(orm: Orm, secret: SealedSecret): Promise<void> {
  await orm
    .insert(sealedSecret)
    .values(secret)
    .onConflictDoUpdate({
      target: [keyArn, name],
      set: { dataKey: excluded(dataKey), sealed: excluded(sealed), changedAt: portalNow },
    });
}

export async function removeSealedSecret(
  orm: Orm,
  secret: Pick<SealedSecret, 'keyArn' | 'name'>,
): Promise<void> {
  await orm.delete(sealedSecret).where(isOne(secret));
}

/** Keys other than this one with which secrets are sealed. */
export async function readOtherKeys(orm: Orm, arn: string): Promise<readonly string[]> {
  const rows = await orm.selectDistinct({ keyArn }).from(sealedSecret).where(ne(keyArn, arn));
  return rows.map((row) => row.keyArn);
}
