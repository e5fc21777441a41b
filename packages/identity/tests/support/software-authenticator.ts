import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { encode } from 'cborg';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const SYNCED = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

/** What an attacker's authenticator or page does otherwise than a user's. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly signCount?: number;
  /** ES384 instead of ES256. */
  readonly algorithm?: -35;
  readonly userHandle?: string;
}

export interface SoftwareAuthenticator {
  readonly credentialId: string;
  create(options: PublicKeyCredentialCreationOptionsJSON, deviation?: Deviation): object;
  get(options: PublicKeyCredentialRequestOptionsJSON, deviation?: Deviation): object;
}

/** An authenticator with one passkey, and the page that asks it. It counts its signatures. */
export function createSoftwareAuthenticator(origin: string): SoftwareAuthenticator {
  const id = randomBytes(16);
  const credentialId = id.toString('base64url');
  const rpOf = (deviation: Deviation): string => deviation.rpId ?? new URL(origin).hostname;
  let keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let signCount = 0;
  let userHandle = '';
  const dataOf = (deviation: Deviation, more: number): Buffer => {
    const verified = deviation.isVerified === false ? 0 : USER_VERIFIED;
    const head = Buffer.alloc(5);
    head[0] = USER_PRESENT | verified | SYNCED | BACKED_UP | more;
    head.writeUInt32BE(deviation.signCount ?? signCount, 1);
    return Buffer.concat([sha256(rpOf(deviation)), head]);
  };
  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge, origin: deviation.origin ?? origin, crossOrigin: false }),
    );
  const credential = (response: object): object => ({
    ...{ id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} },
    response,
  });
  return {
    credentialId,
    create(options, deviation = {}) {
      if (deviation.algorithm) keys = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const authData = Buffer.concat([
        ...[dataOf(deviation, HAS_CREDENTIAL), Buffer.alloc(16), length, id],
        coseKey(keys.publicKey, deviation.algorithm ?? -7),
      ]);
      return credential({
        clientDataJSON: base64(clientData('webauthn.create', options.challenge, deviation)),
        attestationObject: base64(encode({ fmt: 'none', attStmt: {}, authData })),
        transports: ['internal'],
      });
    },
    get(options, deviation = {}) {
      signCount += 1;
      const data = dataOf(deviation, 0);
      const client = clientData('webauthn.get', options.challenge, deviation);
      const signed = Buffer.concat([data, sha256(client)]);
      return credential({
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(sign('sha256', signed, keys.privateKey)),
        userHandle: deviation.userHandle ?? userHandle,
      });
    },
  };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** RFC 9053, section 7.1.1. */
function coseKey(publicKey: KeyObject, algorithm: number): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const curve = algorithm === -7 ? 1 : 2;
  return encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, algorithm],
        [-1, curve],
      ] as const),
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}
