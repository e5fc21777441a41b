import { importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { readSigningKeys, type KeyUse, type StoredSigningKey } from '../store/key-store.ts';
import { endedKeysAt, signingKeyAt, type ScheduledKey } from './key-schedule.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** The signing keys of the pool, as the database has them now: another server may have rotated them. */
export interface KeyRing {
  /** The key that signs tokens of this use at this moment. */
  signer(use: KeyUse): Promise<SigningKey>;
  /** The public key of this name, while it is published. */
  verifier(kid: string): Promise<CryptoKey | undefined>;
  /** Every published key, newest first: those that sign, those that will, and those whose tokens may still live. */
  publicKeys(): Promise<JWK[]>;
}

/** How long a reading counts. Far less than a new key is published before it signs, so no server misses it. */
const READING_COUNTS_MS = 30_000;
/** A key nobody knows is looked for again at most this often: a forger cannot make the database work. */
const UNKNOWN_KEY_PAUSE_MS = 5_000;

interface OpenKey extends ScheduledKey {
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface Reading {
  readonly keys: readonly OpenKey[];
  readonly readAtMs: number;
}

export function createKeyRing(options: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly seal: KeySeal;
}): KeyRing {
  const { clock } = options;
  const opened = new Map<string, Promise<OpenKey>>();
  let reading: Reading | undefined;
  let running: Promise<Reading> | undefined;

  async function readNow(): Promise<Reading> {
    const stored = await readSigningKeys(options.pool);
    const kids = new Set(stored.map(({ kid }) => kid));
    for (const kid of opened.keys()) if (!kids.has(kid)) opened.delete(kid);
    const keys = await Promise.all(
      stored.map((key) => {
        const known = opened.get(key.kid) ?? openKey(key, options.seal);
        opened.set(key.kid, known);
        return known.then((open) => ({ ...open, longestTokenSeconds: key.longestTokenSeconds }));
      }),
    );
    reading = { keys, readAtMs: clock.now() };
    return reading;
  }

  async function keysOf(maxAgeMs = READING_COUNTS_MS): Promise<readonly OpenKey[]> {
    const ageMs = reading === undefined ? Infinity : Math.abs(clock.now() - reading.readAtMs);
    if (reading !== undefined && ageMs < maxAgeMs) return reading.keys;
    running ??= readNow().finally(() => (running = undefined));
    return (await running).keys;
  }

  return {
    async signer(use) {
      const key = signingKeyAt(await keysOf(), use, clock.now());
      if (key === undefined) throw new Error(`There is no key for ${use} tokens.`);
      return key;
    },
    async verifier(kid) {
      const find = async (maxAgeMs?: number): Promise<OpenKey | undefined> =>
        published(await keysOf(maxAgeMs), clock.now()).find((key) => key.kid === kid);
      return ((await find()) ?? (await find(UNKNOWN_KEY_PAUSE_MS)))?.publicKey;
    },
    publicKeys: async () => published(await keysOf(), clock.now()).map((key) => key.publicJwk),
  };
}

function published(keys: readonly OpenKey[], nowMs: number): OpenKey[] {
  const ended = new Set(endedKeysAt(keys, nowMs).map(({ kid }) => kid));
  return keys.filter(({ kid }) => !ended.has(kid));
}

async function openKey({ sealed, ...key }: StoredSigningKey, seal: KeySeal): Promise<OpenKey> {
  return {
    ...key,
    privateKey: await importPKCS8(seal.open(sealed, key.kid), 'RS256'),
    publicKey: (await importJWK(key.publicJwk, 'RS256')) as CryptoKey,
  };
}
