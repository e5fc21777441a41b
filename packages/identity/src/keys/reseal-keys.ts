import type pg from 'pg';
import { createKeySeal, keyIdOf, type SealingKeys } from '../secrets/key-seal.ts';
import { withKeyLock } from './with-key-lock.ts';

/** Tables with the service's own keys, each sealed for its owner. */
const TABLES = [
  { table: 'identity.service_key', owner: 'purpose', box: 'sealed_secret' },
  { table: 'identity.key_pair', owner: 'kid', box: 'sealed_key' },
] as const;

/**
 * Seals the keys of the service with the current key, where another known one has sealed them.
 *
 * @returns how many that were
 * @throws SealMismatchError when one was sealed with a key that is not known
 */
export async function resealKeys(pool: pg.Pool, keys: SealingKeys): Promise<number> {
  const seal = createKeySeal(keys);
  return withKeyLock(pool, async (client) => {
    let count = 0;
    for (const { table, owner, box } of TABLES) {
      const { rows } = await client.query<{ owner: string; box: Buffer; keyId: string }>(
        `select ${owner} as owner, ${box} as box, sealing_key_id as "keyId" from ${table}
          where ${box} is not null and sealing_key_id <> $1`,
        [keyIdOf(keys.current)],
      );
      for (const row of rows) {
        const sealed = seal.seal(seal.open(row, row.owner), row.owner);
        await client.query(
          `update ${table} set ${box} = $2, sealing_key_id = $3 where ${owner} = $1`,
          [row.owner, sealed.box, sealed.keyId],
        );
      }
      count += rows.length;
    }
    return count;
  });
}
