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

/** What tells secrets apart and nothing else about them: SHA-256, hexadecimal. */
export interface SecretFingerprints {
  readonly name: SecretName;
  readonly current: string;
  /** Made, and not in use yet. */
  readonly next: string | null;
  /** No longer in use, and known still. */
  readonly earlier: readonly string[];
}

/** Where each secret is kept, below the data directory. */
export const secretFiles: Readonly<Record<SecretName, string>> = {
  'installation-key': INSTALLATION_KEY_FILE,
  'device-authority': DEVICE_AUTHORITY_FILE,
  audit: ringFileOf('audit'),
  runs: ringFileOf('runs'),
  releases: ringFileOf('releases'),
  'idp-application': IDP_SECRET_FILE,
};

/** Of every secret that is there: the device authority is made by the first server with the role gateway. */
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

/** Of a secret itself only by way of a key that nothing else is derived with. */
export const fingerprintOfKey = (key: Uint8Array): string => sha256(deriveKey(key, 'fingerprint'));

/** Of a public key in DER (SPKI). */
export const fingerprintOfPublicKey = (key: Uint8Array): string => sha256(key);

export const fingerprintOfCertificate = (pem: string): string =>
  sha256(new X509Certificate(pem).raw);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
