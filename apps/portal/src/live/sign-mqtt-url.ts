import { Sha256 } from '@aws-crypto/sha256-js';
import {
  SIGNED_URL_DEFAULT_SECONDS,
  SIGNED_URL_MAX_SECONDS,
} from '@deviceportal/contract/constants';
import { requireRegion } from '../session/credentials/require-region.ts';

export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface SignMqttUrlInput {
  readonly credentials: SigningCredentials;
  readonly region: string;
  /** With its port. */
  readonly host: string;
  readonly path: string;
  readonly secure: boolean;
  readonly nowMs: number;
  readonly lifetimeSeconds?: number;
}

const SERVICE = 'iotdevicegateway';
const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * A WebSocket URL signed with Signature Version 4 (query parameters). SHA-256 is computed in JavaScript: WebCrypto does
 * not exist on plain-http pages, and one signature an hour needs no speed. The session token is appended after signing,
 * as AWS IoT wants it.
 * @throws RangeError beyond one week, TypeError without a region that can stand in a host name
 */
export function signMqttUrl(input: SignMqttUrlInput): string {
  const { credentials, region, host, path, nowMs } = input;
  const lifetimeSeconds = input.lifetimeSeconds ?? SIGNED_URL_DEFAULT_SECONDS;
  if (lifetimeSeconds > SIGNED_URL_MAX_SECONDS) {
    throw new RangeError(`A signed URL may live for at most ${SIGNED_URL_MAX_SECONDS} s.`);
  }
  requireRegion(region);
  const timestamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const date = timestamp.slice(0, 8);
  const scope = `${date}/${region}/${SERVICE}/aws4_request`;
  const query = [
    ['X-Amz-Algorithm', ALGORITHM],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scope}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(lifetimeSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ]
    .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const canonicalRequest = ['GET', path, query, `host:${host}\n`, 'host', hex(sha256(''))].join(
    '\n',
  );
  const toSign = [ALGORITHM, timestamp, scope, hex(sha256(canonicalRequest))].join('\n');
  const key = [date, region, SERVICE, 'aws4_request'].reduce<Uint8Array | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hex(hmac(key, toSign));
  const token = `&X-Amz-Security-Token=${encode(credentials.sessionToken)}`;
  return `${input.secure ? 'wss' : 'ws'}://${host}${path}?${query}&X-Amz-Signature=${signature}${token}`;
}

/** RFC 3986: also what `encodeURIComponent` leaves alone. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): Uint8Array {
  const hash = new Sha256();
  hash.update(text);
  return hash.digestSync();
}

function hmac(key: Uint8Array | string, text: string): Uint8Array {
  const hash = new Sha256(key);
  hash.update(text);
  return hash.digestSync();
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
