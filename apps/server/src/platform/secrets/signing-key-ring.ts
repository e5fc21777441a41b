import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { SecretEngine } from './secret-engine.ts';
import {
  endorsedBytes,
  generateSigningKey,
  keyIdOf,
  signWith,
  spkiOf,
  type ChainBlock,
  type SigningKey,
  type VerifyingKey,
} from './signing-key.ts';

/** The signing keys of one purpose: the current one signs, and all earlier ones are known. */
export interface SigningKeyRing {
  /** Increases with every change. */
  readonly sequence: number;
  readonly current: SigningKey;
  /** Newest first, including `current`, and the next one if it is announced. */
  readonly known: readonly VerifyingKey[];
  /** Keys whose signatures are accepted: all but the withdrawn. */
  readonly trusted: readonly VerifyingKey[];
  /** Keys that devices currently accept: without keys that stopped signing long ago. */
  readonly pinned: readonly VerifyingKey[];
  /** IDs of keys that may be compromised. */
  readonly withdrawn: readonly string[];
  /** Reads changes made by other processes. */
  refresh(): Promise<void>;
}

/** A ring whose keys can be rotated. */
export interface RotatingKeyRing extends SigningKeyRing {
  /** Created and endorsed, but not signing yet. */
  readonly next: SigningKey | undefined;
  /** Creates the next key if there is none. */
  prepare(now: Date): Promise<VerifyingKey>;
  /** Creates a next key without endorsement. An existing endorsed next key is withdrawn. */
  prepareApart(now: Date): Promise<void>;
  /**
   * Makes the next key the current one. The previous private key is destroyed.
   *
   * @param lastBlock the last block that the previous key signed, if it signed a chain
   */
  promote(now: Date, lastBlock?: ChainBlock): Promise<SigningKey>;
  /** Devices no longer accept keys that stopped signing before this time. Returns their IDs. */
  expire(retiredBefore: Date): Promise<readonly string[]>;
  /**
   * Withdraws a key: its signatures are no longer accepted. The current key is first replaced by
   * the next one.
   *
   * @throws RangeError if the ring does not have the key, or it is the next one
   */
  withdraw(keyId: string, now: Date): Promise<void>;
}

const bytes = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

const ringSchema = z.object({
  version: z.literal(1),
  sequence: z.int().positive().default(1),
  /** Oldest first. */
  keys: z
    .array(
      z.object({
        publicKey: bytes,
        /** PKCS #8 in DER; destroyed when the key stops signing. */
        privateKey: bytes.optional(),
        since: z.iso.datetime().transform((text) => new Date(text)),
        /** `retired`: accepted by devices; `expired`: no longer; `withdrawn`: accepted nowhere. */
        state: z.enum(['expired', 'retired', 'current', 'next', 'withdrawn']),
        retiredAt: z.iso
          .datetime()
          .transform((text) => new Date(text))
          .optional(),
        endorsement: z.object({ by: z.string(), signature: bytes }).optional(),
        lastBlock: z.object({ number: z.int().positive(), hash: z.string() }).optional(),
      }),
    )
    .refine((keys) => keys.filter(({ state }) => state === 'current').length === 1),
});

type RingFile = z.output<typeof ringSchema>;
type RingKey = RingFile['keys'][number];

export interface OpenRingOptions {
  readonly store: SecretEngine;
  readonly name: string;
  /** The key of an installation that predates key rings. */
  readonly first?: KeyObject | undefined;
  readonly now: Date;
}

export const ringFileOf = (name: string): string => `keys/${name}-signing-keys.json`;

/** Opens a ring by name. The first call creates it. */
export async function openSigningKeyRing(options: OpenRingOptions): Promise<RotatingKeyRing> {
  const { name } = options;
  const file = await openRingFile(options);
  const { change, keyIn, keysIn } = file;
  const ring: RotatingKeyRing = {
    get sequence() {
      return file.sequence;
    },
    get current() {
      return toSigningKey(keyIn('current'));
    },
    get known() {
      return file.keys.toReversed().map(toVerifyingKey);
    },
    get trusted() {
      return keysIn('next', 'current', 'retired', 'expired');
    },
    get pinned() {
      return keysIn('next', 'current', 'retired');
    },
    get withdrawn() {
      return keysIn('withdrawn').map(({ keyId }) => keyId);
    },
    get next() {
      const next = keyIn('next');
      return next && toSigningKey(next);
    },
    refresh: file.refresh,
    async prepare(now) {
      await ring.refresh();
      if (ring.next === undefined)
        await change([...file.keys, await nextKey(name, ring.current, now)]);
      return toVerifyingKey(keyIn('next'));
    },
    async prepareApart(now) {
      await ring.refresh();
      if (ring.next !== undefined && ring.next.endorsement === undefined) return;
      const others = file.keys.map((key) => (key.state === 'next' ? withdrawn(key) : key));
      await change([...others, { ...bytesOf(generateSigningKey()), since: now, state: 'next' }]);
    },
    async promote(now, lastBlock) {
      await ring.refresh();
      if (ring.next === undefined) throw new Error(`the key ring ${name} has no next key`);
      await change(file.keys.map((key) => promoted(key, now, lastBlock)));
      return ring.current;
    },
    async expire(retiredBefore) {
      await ring.refresh();
      const old = file.keys.filter(
        ({ state, retiredAt }) =>
          state === 'retired' && (retiredAt === undefined || retiredAt < retiredBefore),
      );
      if (old.length > 0) {
        await change(
          file.keys.map((key) => (old.includes(key) ? { ...key, state: 'expired' } : key)),
        );
      }
      return old.map(({ publicKey }) => keyIdOf(publicKey));
    },
    async withdraw(keyId, now) {
      await ring.refresh();
      const wanted = file.keys.find(({ publicKey }) => keyIdOf(publicKey) === keyId);
      if (wanted === undefined || wanted.state === 'next')
        throw new RangeError(`the key ring ${name} does not have this key`);
      // An attacker with the signing key may also have read the next key from the same file.
      const isLost = (key: RingKey): boolean =>
        keyIdOf(key.publicKey) === keyId || (wanted.state === 'current' && key.state === 'next');
      const lost = file.keys.filter(isLost).map((key) => keyIdOf(key.publicKey));
      if (wanted.state === 'current') {
        await change(file.keys.map((key) => (key.state === 'next' ? withdrawn(key) : key)));
        await ring.prepare(now);
        await ring.promote(now);
      }
      await change(
        file.keys.map((key) => (lost.includes(keyIdOf(key.publicKey)) ? withdrawn(key) : key)),
      );
    },
  };
  return ring;
}

/** The keys of a ring as the secret store keeps them; created with the first call. */
async function openRingFile(options: OpenRingOptions) {
  const { store, name } = options;
  const file = ringFileOf(name);
  const found =
    (await store.read(file)) ??
    (await store.create(file, toText({ version: 1, sequence: 1, keys: firstRing(options) })));
  let kept = parse(found, store.placeOf(file));
  const keyIn = (state: RingKey['state']): RingKey | undefined =>
    kept.keys.find((key) => key.state === state);
  const keysIn = (...states: readonly RingKey['state'][]): VerifyingKey[] =>
    kept.keys
      .filter(({ state }) => states.includes(state))
      .toReversed()
      .map(toVerifyingKey);
  return {
    get sequence() {
      return kept.sequence;
    },
    get keys() {
      return kept.keys;
    },
    keyIn,
    keysIn,
    async change(keys: readonly RingKey[]): Promise<void> {
      const changed = { ...kept, sequence: kept.sequence + 1, keys: [...keys] };
      await store.replace(file, toText(changed));
      kept = changed;
    },
    async refresh(): Promise<void> {
      const text = await store.read(file);
      // A temporarily unavailable store changes nothing.
      if (text !== undefined) kept = parse(text, store.placeOf(file));
    },
  };
}

/**
 * A ring that continues after these keys with a new key, because their private keys are not
 * available.
 */
export function ringFileAfter(known: readonly VerifyingKey[], now: Date): Buffer {
  const retired = known.map(({ publicKey, since, endorsement, lastBlock }): RingKey => {
    const copy = endorsement && {
      by: endorsement.by,
      signature: new Uint8Array(endorsement.signature),
    };
    return {
      publicKey: new Uint8Array(publicKey),
      since,
      state: 'retired',
      endorsement: copy,
      lastBlock,
    };
  });
  const current: RingKey = { ...bytesOf(generateSigningKey()), since: now, state: 'current' };
  return toText({ version: 1, sequence: 1, keys: [...retired.toReversed(), current] });
}

function firstRing({ first, now }: OpenRingOptions): RingKey[] {
  const key = first ?? generateSigningKey();
  return [{ ...bytesOf(key), since: now, state: 'current' }];
}

async function nextKey(ring: string, current: SigningKey, now: Date): Promise<RingKey> {
  const key = bytesOf(generateSigningKey());
  const signature = await current.sign(endorsedBytes(ring, key.publicKey));
  return {
    ...key,
    since: now,
    state: 'next',
    endorsement: { by: current.keyId, signature: new Uint8Array(signature) },
  };
}

function promoted(key: RingKey, now: Date, lastBlock: ChainBlock | undefined): RingKey {
  if (key.state === 'next') return { ...key, state: 'current', since: now };
  const { privateKey: _destroyed, ...rest } = key;
  return key.state === 'current' ? { ...rest, state: 'retired', retiredAt: now, lastBlock } : rest;
}

function withdrawn(key: RingKey): RingKey {
  const { privateKey: _destroyed, ...rest } = key;
  return { ...rest, state: 'withdrawn' };
}

const bytesOf = (key: KeyObject) => ({
  publicKey: new Uint8Array(spkiOf(key)),
  privateKey: new Uint8Array(key.export({ format: 'der', type: 'pkcs8' })),
});

function toVerifyingKey(key: RingKey | undefined): VerifyingKey {
  if (key === undefined) throw new Error('the key ring does not have this key');
  const { publicKey, since, endorsement, lastBlock } = key;
  return { keyId: keyIdOf(publicKey), publicKey, since, endorsement, lastBlock };
}

function toSigningKey(key: RingKey | undefined): SigningKey {
  if (key?.privateKey === undefined) throw new Error('the key ring has no signing key');
  const privateKey = createPrivateKey({
    key: Buffer.from(key.privateKey),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...toVerifyingKey(key), sign: (message) => signWith(privateKey, message) };
}

function toText({ keys, ...ring }: RingFile): Buffer {
  const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');
  const plain = keys.map(({ publicKey, privateKey, endorsement, ...key }) => ({
    ...key,
    publicKey: base64(publicKey),
    ...(privateKey && { privateKey: base64(privateKey) }),
    ...(endorsement && {
      endorsement: { by: endorsement.by, signature: base64(endorsement.signature) },
    }),
  }));
  return Buffer.from(`${JSON.stringify({ ...ring, keys: plain }, undefined, 2)}\n`);
}

function parse(text: Buffer, place: string): RingFile {
  try {
    return ringSchema.parse(JSON.parse(text.toString('utf8')));
  } catch (error) {
    throw new Error(`${place} is not a valid key ring`, { cause: error });
  }
}
