import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { sameBytes } from '../../secrets/secret-hash.ts';

/** RFC 7914; 32 MiB for each look at a password. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** `scrypt$N$r$p$salt$hash`, salt and hash as base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether it is this password. Without a hash the time is spent all the same, and the answer is no. */
export async function matchesPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? NOBODYS_HASH).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return sameBytes(derived, Buffer.from(expected, 'base64url')) && hash !== null;
}

const NOBODYS_HASH = ['scrypt', COST.N, COST.r, COST.p, 'AAAAAAAAAAAAAAAAAAAAAA', ''].join('$');

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: MAX_MEMORY_BYTES };
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
