import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { loadKeyPair } from './load-key-pair.ts';
import {
  createSigningKeys,
  openKeyPair,
  type OpenKeyPair,
  type SigningKeys,
} from './signing-keys.ts';
import { sm2PublicKeyOf } from './sm2-pair.ts';
import { withKeyLock } from './with-key-lock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { adoptSamlKey } from './adopt-saml-key.ts';

/** A pair that does not rotate. */
export interface LastingKey extends OpenKeyPair {
  readonly kid: string;
}

/** The keys of the provider; the first start makes them. */
export interface ProviderKeys {
  /** Sign tokens; they rotate. */
  readonly signing: SigningKeys<'provider-token'>;
  /** Signs assertions; service providers keep its certificate. Made at the first use. */
  saml(): Promise<LastingKey>;
  /** Opens passwords; clients fetch the public half (identity-sdk.md, section 6). */
  readonly passwordRsa: {
    readonly privateKey: KeyObject;
    /** SPKI, PEM. */
    readonly publicPem: string;
  };
  /** Both halves hexadecimal; the public one uncompressed, with `04`. */
  readonly passwordSm2: { readonly privateKey: string; readonly publicKey: string };
}

/**
 * Opens the keys that are needed from the start. The signing keys must have been made (keys/rotate-keys.ts).
 * @throws SealMismatchError when the database belongs to another installation key
 */
export async function loadProviderKeys(
  db: pg.Pool,
  parts: { readonly clock: Clock; readonly seal: KeySeal },
): Promise<ProviderKeys> {
  const { seal } = parts;
  const stored = await withKeyLock(db, async (client) => {
    await adoptSamlKey(client, parts);
    return {
      rsa: await loadKeyPair(client, 'password-rsa', parts),
      sm2: await loadKeyPair(client, 'password-sm2', parts),
    };
  });
  const signing = createSigningKeys({ db, ...parts, uses: ['provider-token'] });
  // Of another installation: better heard of now than with the first token.
  await signing.published();
  const rsa = openKeyPair(stored.rsa, seal);
  const sm2 = seal.open(stored.sm2.sealed, stored.sm2.kid);
  let saml: Promise<LastingKey> | undefined;
  return {
    signing,
    saml() {
      saml ??= withKeyLock(db, (client) => loadKeyPair(client, 'saml', parts))
        .then((key) => ({ kid: key.kid, ...openKeyPair(key, seal) }))
        .catch((error: unknown) => {
          saml = undefined;
          throw error;
        });
      return saml;
    },
    passwordRsa: {
      privateKey: rsa.privateKey,
      publicPem: rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
    passwordSm2: { privateKey: sm2, publicKey: sm2PublicKeyOf(sm2) },
  };
}
