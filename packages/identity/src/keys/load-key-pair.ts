import type { Clock } from '../clock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { insertKeyPair, readKeyPairs, type KeyUse, type StoredKeyPair } from './key-pair-store.ts';
import { makeKeyPair } from './make-key-pair.ts';

/** The pair of a use that does not rotate; made where there is none. Called under the lock of keys. */
export async function loadKeyPair(
  client: Queryable,
  use: KeyUse,
  { clock, seal }: { readonly clock: Clock; readonly seal: KeySeal },
): Promise<StoredKeyPair> {
  const [known] = await readKeyPairs(client, [use]);
  if (known !== undefined) return known;
  const now = new Date(clock.now());
  const made = await makeKeyPair(use, { seal, signsFrom: now });
  await insertKeyPair(client, made, now);
  return made;
}
