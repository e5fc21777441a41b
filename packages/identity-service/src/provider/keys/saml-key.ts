import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { Queryable } from '../../store/in-transaction.ts';
import { withKeyLock } from '../../store/key-store.ts';
import { makeProviderKey, newKid } from './make-provider-key.ts';
import {
  findCertifiedSigningKey,
  insertProviderKey,
  moveSamlCertificate,
  readProviderKeys,
  type StoredProviderKey,
} from './provider-key-store.ts';

interface KeyParts {
  readonly clock: Clock;
  readonly seal: KeySeal;
}

/** The key that signs assertions; whichever server needs it first makes it. */
export async function loadSamlKey(
  db: pg.Pool,
  { clock, seal }: KeyParts,
): Promise<StoredProviderKey> {
  return withKeyLock(db, async (client) => {
    const [known] = await readProviderKeys(client, ['saml']);
    if (known !== undefined) return known;
    const now = new Date(clock.now());
    const made = await makeProviderKey('saml', { seal, signsFrom: now });
    await insertProviderKey(client, made, now);
    return made;
  });
}

/**
 * Before signing keys rotated, assertions were signed by the one that there was: where service providers may have its
 * certificate, it goes on as the key of SAML, under another name.
 */
export async function adoptSamlKey(client: Queryable, { clock, seal }: KeyParts): Promise<void> {
  const oldKid = await findCertifiedSigningKey(client);
  const old = (await readProviderKeys(client, ['signing'])).find(({ kid }) => kid === oldKid);
  if (old === undefined) return;
  const kid = newKid();
  const sealed = seal.seal(seal.open(old.sealed, old.kid), kid);
  const key: StoredProviderKey = { ...old, kid, sealed, purpose: 'saml', longestTokenSeconds: 0 };
  await insertProviderKey(client, key, new Date(clock.now()));
  await moveSamlCertificate(client, old.kid, kid);
}
