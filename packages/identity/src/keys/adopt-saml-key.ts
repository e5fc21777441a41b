import type { Clock } from '../clock.ts';
import { insertKeyPair, readKeyPairs } from './key-pair-store.ts';
import { newKid } from './make-key-pair.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { findCertifiedKids, moveSamlCertificate } from '../saml/saml-certificate-store.ts';

/**
 * Before signing keys were rotated, assertions were signed by the only key. Service providers may
 * have its certificate, so it becomes the SAML key under another name.
 */
export async function adoptSamlKey(
  client: Queryable,
  { clock, seal }: { readonly clock: Clock; readonly seal: KeySeal },
): Promise<void> {
  const certified = await findCertifiedKids(client);
  const signing = await readKeyPairs(client, ['provider-token']);
  const old = signing.find(({ kid }) => certified.has(kid));
  if (old === undefined) return;
  const kid = newKid('saml');
  const sealed = seal.seal(seal.open(old.sealed, old.kid), kid);
  const key = { ...old, kid, sealed, use: 'saml', longestTokenSeconds: 0 } as const;
  await insertKeyPair(client, key, new Date(clock.now()));
  await moveSamlCertificate(client, old.kid, kid);
}
