import { sql } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';
import type { TextVault } from './text-vault.ts';
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

async function select(
  tx: Transaction,
  vault: TextVault,
  secrets: readonly { readonly name: string }[],
): Promise<{ readonly name: string; readonly value: string }[]> {
  const names = sql.param([...new Set(secrets.map(({ name }) => name))]);
  const { rows } = await tx.execute(sql`
    select name, fingerprint, box from secure_value where name = any(${names}::text[])
    order by first_used_at desc`);
  return (rows as unknown as { name: string; fingerprint: string; box: string }[]).map((row) => ({
    name: row.name,
    value: vault.openText(ownerOf(row.name, row.fingerprint), row.box),
  }));
}

const ownerOf = (name: string, fingerprint: string): string =>
  `secure-value/${name}/${fingerprint}`;
