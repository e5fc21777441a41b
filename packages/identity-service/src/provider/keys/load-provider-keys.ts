import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { withKeyLock } from '../../store/key-store.ts';
import { makeProviderKey } from './make-provider-key.ts';
import {
  insertProviderKey,
  readProviderKeys,
  type ProviderKeyPurpose,
  type StoredProviderKey,
} from './provider-key-store.ts';
import { adoptSamlKey, loadSamlKey } from './saml-key.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

/** A pair that does not rotate. */
export interface LastingKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys of the provider; the first start makes them. */
export interface ProviderKeys {
  /** Sign tokens; they rotate. */
  readonly signing: SigningKeys;
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
 * Opens the keys that are needed from the start. The signing keys must have been made (rotate-provider-keys.ts).
 * @throws SealMismatchError when the database belongs to another installation key
 */
export async function loadProviderKeys(
  db: pg.Pool,
  { clock, seal }: { readonly clock: Clock; readonly seal: KeySeal },
): Promise<ProviderKeys> {
  const stored = await withKeyLock(db, async (client) => {
    await adoptSamlKey(client, { clock, seal });
    const purposes = ['password-rsa', 'password-sm2'] as const;
    const found = await readProviderKeys(client, purposes);
    const keyFor = async (purpose: ProviderKeyPurpose): Promise<StoredProviderKey> => {
      const known = found.find((key) => key.purpose === purpose);
      if (known !== undefined) return known;
      const now = new Date(clock.now());
      const made = await makeProviderKey(purpose, { seal, signsFrom: now });
      await insertProviderKey(client, made, now);
      return made;
    };
    return { rsa: await keyFor('password-rsa'), sm2: await keyFor('password-sm2') };
  });
  const open = ({ sealed, kid }: StoredProviderKey): string => seal.open(sealed, kid);
  const signing = createSigningKeys({ db, clock, seal });
  // Of another installation: better heard of now than with the first token.
  await signing.published();
  let saml: Promise<LastingKey> | undefined;
  return {
    signing,
    saml() {
      saml ??= loadSamlKey(db, { clock, seal })
        .then((key) => ({
          kid: key.kid,
          privateKey: createPrivateKey(open(key)),
          publicKey: createPublicKey(key.publicKey),
        }))
        .catch((error: unknown) => {
          saml = undefined;
          throw error;
        });
      return saml;
    },
    passwordRsa: {
      privateKey: createPrivateKey(open(stored.rsa)),
      publicPem: stored.rsa.publicKey,
    },
    passwordSm2: { privateKey: open(stored.sm2), publicKey: stored.sm2.publicKey },
  };
}
