import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import type { ResealCount } from '../../platform/secrets/sealed-column.ts';
import type { TextVault } from '../output/text-vault.ts';
import type { GivenByStore } from './resolve-store-values.ts';
import type { StoreContent } from './store-vault.ts';

/**
 * Keeps the values of secret parameters as they are used, and adds to each what it was before: output of a device may
 * still show an older one.
 */
export async function withOlderValues(
  tx: Transaction,
  vault: TextVault,
  { given, at }: { readonly given: GivenByStore; readonly at: Date },
): Promise<StoreContent> {
  const secrets = Object.values(given).filter(({ type }) => type === 'SecureString');
  for (const { name, value } of secrets) {
    const fingerprint = vault.fingerprint(`${name}/${value}`);
    const box = vault.sealText(ownerOf(name, fingerprint), value);
    await tx.execute(sql`
      insert into secure_value (name, fingerprint, box, first_used_at)
      values (${name}, ${fingerprint}, ${box}, ${at.toISOString()}) on conflict do nothing`);
  }
  const known = secrets.length === 0 ? [] : await select(tx, vault, secrets);
  return Object.fromEntries(
    Object.entries(given).map(([key, { name, type, value }]) => {
      const secret = type === 'SecureString';
      const all = secret ? known.filter((one) => one.name === name) : [];
      const older = all.map((one) => one.value).filter((text) => text !== value);
      return [key, { value, secret, older }];
    }),
  );
}

interface StoredRow {
  readonly name: string;
  readonly fingerprint: string;
  readonly box: string;
}

/** Seals every value with the current key, under the fingerprint that this key gives it. */
export async function resealSecureValues(tx: Transaction, vault: TextVault): Promise<ResealCount> {
  const { rows } = await tx.execute(
    sql`select name, fingerprint, box from secure_value for update`,
  );
  let [resealed, unreadable] = [0, 0];
  for (const row of rows as unknown as StoredRow[]) {
    const value = openOrNull(vault, row);
    if (value === null) {
      unreadable += 1;
      continue;
    }
    const fingerprint = vault.fingerprint(`${row.name}/${value}`);
    if (fingerprint === row.fingerprint) continue;
    const box = vault.sealText(ownerOf(row.name, fingerprint), value);
    await tx.execute(sql`
      with moved as (
        delete from secure_value where name = ${row.name} and fingerprint = ${row.fingerprint}
        returning first_used_at)
      insert into secure_value (name, fingerprint, box, first_used_at)
      select ${row.name}, ${fingerprint}, ${box}, first_used_at from moved
      on conflict (name, fingerprint)
      do update set first_used_at = least(secure_value.first_used_at, excluded.first_used_at)`);
    resealed += 1;
  }
  return { resealed, unreadable };
}

function openOrNull(vault: TextVault, { name, fingerprint, box }: StoredRow): string | null {
  try {
    return vault.openText(ownerOf(name, fingerprint), box);
  } catch {
    return null;
  }
}

async function select(
  tx: Transaction,
  vault: TextVault,
  secrets: readonly { readonly name: string }[],
): Promise<{ readonly name: string; readonly value: string }[]> {
  const names = sql.param([...new Set(secrets.map(({ name }) => name))]);
  const { rows } = await tx.execute(sql`
    select name, fingerprint, box from secure_value where name = any(${names}::text[])
    order by first_used_at desc`);
  return (rows as unknown as StoredRow[]).map((row) => ({
    name: row.name,
    value: vault.openText(ownerOf(row.name, row.fingerprint), row.box),
  }));
}

const ownerOf = (name: string, fingerprint: string): string =>
  `secure-value/${name}/${fingerprint}`;
