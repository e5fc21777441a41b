import type { Transaction } from '../../platform/database/database.ts';
import type { ResealCount } from '../../platform/secrets/sealed-column.ts';
import {
  findSecureValues,
  insertSecureValue,
  lockSecureValues,
  replaceSeal,
  type SealedValue,
} from '../data/secure-value-queries.ts';
import type { TextVault } from '../output/text-vault.ts';
import type { GivenByStore } from './resolve-store-values.ts';
import type { StoreContent } from './store-vault.ts';

/**
 * Stores the values of secret parameters when they are used, and adds their earlier values, because output of a device
 * can still contain one.
 */
export async function withOlderValues(
  tx: Transaction,
  vault: TextVault,
  { given, at }: { readonly given: GivenByStore; readonly at: Date },
): Promise<StoreContent> {
  const secrets = Object.values(given).filter(({ type }) => type === 'SecureString');
  for (const { name, value } of secrets)
    await insertSecureValue(tx, { name, ...seal(vault, name, value), firstUsedAt: at });
  const known = secrets.length === 0 ? [] : await openAll(tx, vault, secrets);
  return Object.fromEntries(
    Object.entries(given).map(([key, { name, type, value }]) => {
      const secret = type === 'SecureString';
      const all = secret ? known.filter((one) => one.name === name) : [];
      const older = all.map((one) => one.value).filter((text) => text !== value);
      return [key, { value, secret, older }];
    }),
  );
}

/** Encrypts every value with the current key and updates its fingerprint. */
export async function resealSecureValues(tx: Transaction, vault: TextVault): Promise<ResealCount> {
  let [resealed, unreadable] = [0, 0];
  for (const row of await lockSecureValues(tx)) {
    const value = openOrNull(vault, row);
    if (value === null) {
      unreadable += 1;
      continue;
    }
    if (vault.fingerprint(`${row.name}/${value}`) === row.fingerprint) continue;
    await replaceSeal(tx, row, seal(vault, row.name, value));
    resealed += 1;
  }
  return { resealed, unreadable };
}

function seal(
  vault: TextVault,
  name: string,
  value: string,
): Pick<SealedValue, 'fingerprint' | 'box'> {
  const fingerprint = vault.fingerprint(`${name}/${value}`);
  return { fingerprint, box: vault.sealText(ownerOf(name, fingerprint), value) };
}

function openOrNull(vault: TextVault, { name, fingerprint, box }: SealedValue): string | null {
  try {
    return vault.openText(ownerOf(name, fingerprint), box);
  } catch {
    return null;
  }
}

async function openAll(
  tx: Transaction,
  vault: TextVault,
  secrets: readonly { readonly name: string }[],
): Promise<{ readonly name: string; readonly value: string }[]> {
  const names = [...new Set(secrets.map(({ name }) => name))];
  return (await findSecureValues(tx, names)).map((row) => ({
    name: row.name,
    value: vault.openText(ownerOf(row.name, row.fingerprint), row.box),
  }));
}

const ownerOf = (name: string, fingerprint: string): string =>
  `secure-value/${name}/${fingerprint}`;
