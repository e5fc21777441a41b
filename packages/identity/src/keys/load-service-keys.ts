import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import {
  insertServiceKey,
  readServiceKeys,
  rewriteKeyTables,
  sealClearKeys,
  type ServiceKeyPurpose,
} from './service-key-store.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { withKeyLock } from './with-key-lock.ts';

const KEY_BYTES = 32;

/** The random keys of the service. They do not change: hashes and boxes in the database depend on them. */
export type ServiceKeys = Readonly<Record<ServiceKeyPurpose, Buffer>>;

/**
 * Reads the keys of this database; the first start makes them, and the first start after an update seals them.
 * @throws SealMismatchError when the database belongs to another installation key
 */
export async function loadServiceKeys(
  pool: pg.Pool,
  { clock, seal }: { readonly clock: Clock; readonly seal: KeySeal },
): Promise<ServiceKeys> {
  const { keys, sealedNow } = await withKeyLock(pool, async (client) => {
    const count = await sealClearKeys(client, seal);
    const stored = await readServiceKeys(client);
    const read = async (purpose: ServiceKeyPurpose): Promise<Buffer> => {
      const sealed = stored.get(purpose);
      if (sealed !== undefined) return Buffer.from(seal.open(sealed, purpose), 'base64');
      const secret = randomBytes(KEY_BYTES);
      const made = { purpose, sealed: seal.seal(secret.toString('base64'), purpose) };
      await insertServiceKey(client, made, new Date(clock.now()));
      return secret;
    };
    return {
      sealedNow: count,
      keys: { pepper: await read('pepper'), encryption: await read('encryption') },
    };
  });
  if (sealedNow > 0) await rewriteKeyTables(pool);
  return keys;
}
