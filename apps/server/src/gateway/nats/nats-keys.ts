import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/**
 * Keys of NATS: Ed25519 with a type, in Base32 with a checksum
 * (https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth).
 */
const types = { account: 0, server: 13 << 3, user: 20 << 3 } as const;
export type NatsKeyType = keyof typeof types;

const SEED = 18 << 3;
const KEY_BYTES = 32;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** DER before the 32 bytes of a key (RFC 8410). */
const PRIVATE_FRAME = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_FRAME = Buffer.from('302a300506032b6570032100', 'hex');

export interface NatsSigner {
  /** As other programs know it: `A…` for an account. */
  readonly name: string;
  readonly key: KeyObject;
}

/**
 * @param seed `SA…` for an account, as `nk -gen account` writes it
 * @throws Error if it is not a seed of this type
 */
export function readSeed(seed: string, type: NatsKeyType): NatsSigner {
  const bytes = decode(seed);
  const [first = 0, second = 0] = bytes;
  const found = ((first & 7) << 5) | (second >> 3);
  if ((first & 248) !== SEED || found !== types[type] || bytes.length !== KEY_BYTES + 2) {
    throw new Error(`not a seed of type ${type}`);
  }
  return signerOf(bytes.subarray(2), type);
}

/** @param secret 32 bytes */
export function signerOf(secret: Uint8Array, type: NatsKeyType): NatsSigner {
  const der = Buffer.concat([PRIVATE_FRAME, secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const point = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { name: encode([types[type]], point.subarray(-KEY_BYTES)), key };
}

/** @param secret 32 bytes */
export function writeSeed(secret: Uint8Array, type: NatsKeyType): string {
  return encode([SEED | (types[type] >> 5), (types[type] & 31) << 3], secret);
}

/** @throws Error if it is not a public key of this type */
export function readPublicKey(name: string, type: NatsKeyType): KeyObject {
  const bytes = decode(name);
  if (bytes[0] !== types[type] || bytes.length !== KEY_BYTES + 1) {
    throw new Error(`not a public key of type ${type}`);
  }
  const der = Buffer.concat([PUBLIC_FRAME, bytes.subarray(1)]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

function encode(prefix: readonly number[], key: Uint8Array): string {
  const body = Buffer.from([...prefix, ...key]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(checksumOf(body));
  let text = '';
  let [bits, value] = [0, 0];
  for (const byte of Buffer.concat([body, check])) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) text += ALPHABET[(value >> (bits -= 5)) & 31];
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

/** @returns the bytes without their checksum */
function decode(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) throw new Error('not Base32');
    value = ((value << 5) | digit) & 0xffff;
    bits += 5;
    if (bits >= 8) bytes.push((value >> (bits -= 8)) & 255);
  }
  const all = Buffer.from(bytes);
  const body = all.subarray(0, -2);
  if (body.length === 0 || all.readUInt16LE(body.length) !== checksumOf(body)) {
    throw new Error('wrong checksum');
  }
  return body;
}

/** CRC-16/XMODEM. */
function checksumOf(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
  }
  return crc;
}
