import { randomBytes, scrypt } from 'node:crypto';
import { sameBytes } from '../secrets/secret-hash.ts';

/** RFC 7914: 1 KiB times the first number is what each look at a password takes in memory. */
const BLOCK_SIZE = 8;
const PARALLEL = 3;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/**
 * `scrypt$N$r$p$salt$hash`, salt and hash as base64url.
 * @param costBits logarithm of N; OWASP Password Storage recommends 15
 */
export async function hashPassword(password: string, costBits: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const cost = { N: 2 ** costBits, r: BLOCK_SIZE, p: PARALLEL };
  const hash = await derive(password, salt, cost);
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether it is this password. Without a hash the time is spent all the same, and the answer is no. */
export async function matchesPassword(
  password: string,
  hash: string | null,
  costBits: number,
): Promise<boolean> {
  const nobodys = ['scrypt', 2 ** costBits, BLOCK_SIZE, PARALLEL, 'AAAAAAAAAAAAAAAAAAAAAA', ''];
  const [, N, r, p, salt = '', expected = ''] = (hash ?? nobodys.join('$')).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return sameBytes(derived, Buffer.from(expected, 'base64url')) && hash !== null;
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
