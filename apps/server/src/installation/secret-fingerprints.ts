import { createHash, X509Certificate } from 'node:crypto';
import {
  deriveKey,
  IDP_SECRET_FILE,
  SIGNING_RINGS,
  type InstallationSecrets,
} from '../platform/installation-secrets.ts';
import { INSTALLATION_KEY_FILE } from '../platform/secrets/installation-key-ring.ts';
import { ringFileOf } from '../platform/secrets/signing-key-ring.ts';
import {
  DEVICE_AUTHORITY_FILE,
  findDeviceAuthorities,
} from '../gateway/certificates/device-authority-ring.ts';
import type { SecretName } from '@deviceportal/contract/installation';

/** SHA-256 of public data of a secret, hexadecimal: tells secrets apart and reveals nothing else. */
export interface SecretFingerprints {
  readonly name: SecretName;
  readonly current: string;
  /** Created, and not in use yet. */
  readonly next: string | null;
  /** No longer in use, but still accepted. */
  readonly earlier: readonly string[];
}

/** Path of each secret, relative to the data directory. */
export const secretFiles: Readonly<Record<SecretName, string>> = {
  'installation-key': INSTALLATION_KEY_FILE,
  'device-authority': DEVICE_AUTHORITY_FILE,
  audit: ringFileOf('audit'),
  runs: ringFileOf('runs'),
  releases: ringFileOf('releases'),
  'idp-application': IDP_SECRET_FILE,
};

/** Fingerprints of all existing secrets; the first server with the role gateway creates the device authority. */
export async function secretFingerprints(
  secrets: InstallationSecrets,
): Promise<readonly SecretFingerprints[]> {
  const { installationKey, idpApplicationSecret } = secrets;
  const authorities = await findDeviceAuthorities(secrets.store);
  return [
    {
      name: 'installation-key',
      current: fingerprintOfKey(installationKey.current),
      next: installationKey.next === undefined ? null : fingerprintOfKey(installationKey.next),
      earlier: installationKey.earlier.map(fingerprintOfKey),
    },
    ...SIGNING_RINGS.map((name) => ofRing(secrets, name)),
    {
      name: 'idp-application',
      current: sha256(deriveKey(Buffer.from(idpApplicationSecret), 'fingerprint')),
      next: null,
      earlier: [],
    },
    ...(authorities === undefined
      ? []
      : [
          {
            name: 'device-authority' as const,
            current: fingerprintOfCertificate(authorities.current.certificate),
            next:
              authorities.next === undefined
                ? null
                : fingerprintOfCertificate(authorities.next.certificate),
            earlier: authorities.earlier.map(({ certificate }) =>
              fingerprintOfCertificate(certificate),
            ),
          },
        ]),
  ];
}

function ofRing(
  secrets: InstallationSecrets,
  name: (typeof SIGNING_RINGS)[number],
): SecretFingerprints {
  const { current, next, known } = secrets.signingKeys(name);
  const used = known.filter(({ keyId }) => keyId !== current.keyId && keyId !== next?.keyId);
  return {
    name,
    current: fingerprintOfPublicKey(current.publicKey),
    next: next === undefined ? null : fingerprintOfPublicKey(next.publicKey),
    earlier: used.map(({ publicKey }) => fingerprintOfPublicKey(publicKey)),
  };
}

/** Computed from a key derived for this purpose only, never from the secret itself. */
export const fingerprintOfKey = (key: Uint8Array): string => sha256(deriveKey(key, 'fingerprint'));

/** Fingerprint of a public key in DER (SPKI). */
export const fingerprintOfPublicKey = (key: Uint8Array): string => sha256(key);

export const fingerprintOfCertificate = (pem: string): string =>
  sha256(new X509Certificate(pem).raw);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
