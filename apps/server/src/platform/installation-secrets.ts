import { hkdfSync, randomBytes } from 'node:crypto';
import type { DerivedKeys } from './secrets/derived-keys.ts';
import {
  INSTALLATION_KEY_FILE,
  openInstallationKeyRing,
  type InstallationKeyRing,
} from './secrets/installation-key-ring.ts';
import type { SecretEngine } from './secrets/secret-engine.ts';
import { openSigningKeyRing, type RotatingKeyRing } from './secrets/signing-key-ring.ts';
import { signingKeyOfSeed } from './secrets/signing-key.ts';

export type { DerivedKeys } from './secrets/derived-keys.ts';
export type { SigningKey, VerifyingKey } from './secrets/signing-key.ts';
export type { SigningKeyRing } from './secrets/signing-key-ring.ts';

/**
 * `audit` seals the audit trail, `runs` signs commands for devices, `releases` signs agent
 * downloads.
 */
export const SIGNING_RINGS = ['audit', 'runs', 'releases'] as const;
export type SigningRingName = (typeof SIGNING_RINGS)[number];

/** The secrets of an installation outside the database, shared by all servers of a database. */
export interface InstallationSecrets {
  /** Derived keys for a purpose, including those of rotated secrets. */
  keysFor(purpose: string): DerivedKeys;
  readonly installationKey: InstallationKeyRing;
  signingKeys(name: SigningRingName): RotatingKeyRing;
  /** The client secret of the portal's application at `/idp`. */
  readonly idpApplicationSecret: string;
  /** Also contains the device certificate authority (`gateway/certificate-authority.ts`). */
  readonly store: SecretEngine;
  /** Reads changes made by other processes. */
  refresh(): Promise<void>;
}

const KEY_BYTES = 32;
export const IDP_SECRET_FILE = 'keys/idp-application.secret';
/** Purpose from which the audit key was derived before key rings. */
const EARLIER_AUDIT_PURPOSE = 'audit trail';

/**
 * Opens the secrets in a store. The first start of an installation creates them.
 * @throws StartError if a secret is not valid
 */
export async function openInstallationSecrets(
  store: SecretEngine,
  now: Date = new Date(),
): Promise<InstallationSecrets> {
  const isNew = (await store.read(INSTALLATION_KEY_FILE)) === undefined;
  const installationKey = await openInstallationKeyRing(store);
  const rings = new Map<SigningRingName, RotatingKeyRing>();
  for (const name of SIGNING_RINGS) {
    // Blocks of an existing trail are signed with the derived key, which becomes the first key of
    // the ring.
    const first =
      name === 'audit' && !isNew
        ? signingKeyOfSeed(deriveKey(installationKey.current, EARLIER_AUDIT_PURPOSE))
        : undefined;
    rings.set(name, await openSigningKeyRing({ store, name, first, now }));
  }
  const idpApplicationSecret = await openIdpSecret(store);
  return {
    keysFor: deriverOf(installationKey),
    installationKey,
    signingKeys: (name) => rings.get(name) as RotatingKeyRing,
    idpApplicationSecret,
    store,
    async refresh() {
      await installationKey.refresh();
      for (const ring of rings.values()) await ring.refresh();
    },
  };
}

function deriverOf(ring: InstallationKeyRing): InstallationSecrets['keysFor'] {
  const derived = new Map<string, WeakMap<Uint8Array, Uint8Array>>();
  return (purpose) => {
    const ofPurpose = derived.get(purpose) ?? new WeakMap<Uint8Array, Uint8Array>();
    derived.set(purpose, ofPurpose);
    const derive = (key: Uint8Array): Uint8Array => {
      const made = ofPurpose.get(key) ?? deriveKey(key, purpose);
      ofPurpose.set(key, made);
      return made;
    };
    return {
      get current() {
        return derive(ring.current);
      },
      get known() {
        const { current, earlier, next } = ring;
        return [current, ...earlier, ...(next ? [next] : [])].map(derive);
      },
    };
  };
}

/** HKDF (RFC 5869). Keys of different purposes are independent. */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
}

async function openIdpSecret(store: SecretEngine): Promise<string> {
  const made = Buffer.from(`${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  const kept = (await store.read(IDP_SECRET_FILE)) ?? (await store.create(IDP_SECRET_FILE, made));
  return kept.toString('utf8').trim();
}
