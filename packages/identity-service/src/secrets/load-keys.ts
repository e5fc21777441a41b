import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, importPKCS8, type CryptoKey, type JWK } from 'jose';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import {
  insertServiceKey,
  insertSigningKey,
  readServiceKeys,
  readSigningKeys,
  withKeyLock,
  type KeyUse,
  type ServiceKeyPurpose,
  type StoredSigningKey,
} from '../store/key-store.ts';

const MODULUS_BITS = 2_048;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** The keys of the service. Id and access token are signed with different ones (cognito.md, section 5). */
export interface ServiceKeys {
  readonly signing: Readonly<Record<KeyUse, SigningKey>>;
  /** The public half of every key that is not retired, as the key set shows it. */
  readonly publicKeys: readonly JWK[];
  readonly pepper: Buffer;
  readonly encryption: Buffer;
}

/** Reads the keys of this database; the first start makes them. */
export async function loadKeys(pool: pg.Pool, clock: Clock): Promise<ServiceKeys> {
  const stored = await readComplete(pool);
  const { signing, service } = stored ?? (await makeMissing(pool, clock));
  return {
    signing: { id: await newest(signing, 'id'), access: await newest(signing, 'access') },
    publicKeys: signing.map((key) => key.publicJwk),
    pepper: required(service.get('pepper')),
    encryption: required(service.get('encryption')),
  };
}

interface StoredKeys {
  readonly signing: StoredSigningKey[];
  readonly service: Map<ServiceKeyPurpose, Buffer>;
}

async function readComplete(pool: pg.Pool): Promise<StoredKeys | undefined> {
  const signing = await readSigningKeys(pool);
  const service = await readServiceKeys(pool);
  const uses = new Set(signing.map((key) => key.use));
  return uses.size === 2 && service.size === 2 ? { signing, service } : undefined;
}

async function makeMissing(pool: pg.Pool, clock: Clock): Promise<StoredKeys> {
  return withKeyLock(pool, async (client) => {
    const now = new Date(clock.now());
    const uses = new Set((await readSigningKeys(client)).map((key) => key.use));
    for (const use of ['id', 'access'] as const) {
      if (!uses.has(use)) await insertSigningKey(client, await makeSigningKey(use), now);
    }
    const service = await readServiceKeys(client);
    for (const purpose of ['pepper', 'encryption'] as const) {
      if (!service.has(purpose)) {
        await insertServiceKey(client, { purpose, secret: randomBytes(32) }, now);
      }
    }
    return { signing: await readSigningKeys(client), service: await readServiceKeys(client) };
  });
}

async function makeSigningKey(use: KeyUse): Promise<StoredSigningKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const { e, n } = await exportJWK(pair.publicKey);
  const kid = randomBytes(32).toString('base64');
  return {
    kid,
    use,
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicJwk: { alg: 'RS256', e: required(e), kid, kty: 'RSA', n: required(n), use: 'sig' },
  };
}

async function newest(keys: readonly StoredSigningKey[], use: KeyUse): Promise<SigningKey> {
  const key = required(keys.find((candidate) => candidate.use === use));
  return { kid: key.kid, privateKey: await importPKCS8(key.privateKey, 'RS256') };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A key of the identity service is missing.');
  return value;
}
