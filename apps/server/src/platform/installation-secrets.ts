import { hkdfSync, randomBytes } from 'node:crypto';
import type { SecretEngine } from './secrets/secret-engine.ts';
import { openSigningKeyRing, type RotatingKeyRing } from './secrets/signing-key-ring.ts';
import { signingKeyOfSeed } from './secrets/signing-key.ts';
import { StartError } from './start-error.ts';

export type { SigningKey, VerifyingKey } from './secrets/signing-key.ts';
export type { SigningKeyRing } from './secrets/signing-key-ring.ts';

/** `audit` seals the audit trail, `runs` signs what devices execute, `releases` the agent's own downloads. */
export const SIGNING_RINGS = ['audit', 'runs', 'releases'] as const;
export type SigningRingName = (typeof SIGNING_RINGS)[number];

/** The secrets of one installation, outside the database; the same for every server on that database. */
export interface InstallationSecrets {
  /** 32 bytes for one purpose; the same purpose gives the same bytes. */
  derive(purpose: string): Uint8Array;
  signingKeys(name: SigningRingName): RotatingKeyRing;
  /** The secret with which the portal's own application signs in at `/idp`. */
  readonly idpApplicationSecret: string;
  /** The device authority is kept here, too (`gateway/certificate-authority.ts`). */
  readonly store: SecretEngine;
}

const KEY_BYTES = 32;
export const INSTALLATION_KEY_FILE = 'keys/installation.key';
export const IDP_SECRET_FILE = 'keys/idp-application.secret';
/** For what the audit key of an installation was derived before it had a ring. */
const EARLIER_AUDIT_PURPOSE = 'audit trail';

/**
 * Opens the secrets in a store; the first start of an installation makes them.
 * @throws StartError when a secret is not what it must be
 */
export async function openInstallationSecrets(
  store: SecretEngine,
  now: Date = new Date(),
): Promise<InstallationSecrets> {
  const earlier = await store.read(INSTALLATION_KEY_FILE);
  const key = earlier ?? (await store.create(INSTALLATION_KEY_FILE, randomBytes(KEY_BYTES)));
  requireLength(key, store.placeOf(INSTALLATION_KEY_FILE));
  const derive = (purpose: string): Uint8Array => deriveKey(key, purpose);
  const rings = new Map<SigningRingName, RotatingKeyRing>();
  for (const name of SIGNING_RINGS) {
    // Blocks of an existing trail are signed with the derived key: it goes on as the first of the ring.
    const first =
      name === 'audit' && earlier !== undefined
        ? signingKeyOfSeed(derive(EARLIER_AUDIT_PURPOSE))
        : undefined;
    rings.set(name, await openSigningKeyRing({ store, name, first, now }));
  }
  return {
    derive,
    signingKeys: (name) => rings.get(name) as RotatingKeyRing,
    idpApplicationSecret: await openIdpSecret(store),
    store,
  };
}

/** HKDF (RFC 5869): keys of two purposes say nothing about each other. */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
}

async function openIdpSecret(store: SecretEngine): Promise<string> {
  const made = Buffer.from(`${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  const kept = (await store.read(IDP_SECRET_FILE)) ?? (await store.create(IDP_SECRET_FILE, made));
  return kept.toString('utf8').trim();
}

function requireLength(key: Buffer, place: string): void {
  if (key.byteLength === KEY_BYTES) return;
  throw new StartError(`${place} is not an installation key: it must have ${KEY_BYTES} bytes.`);
}
