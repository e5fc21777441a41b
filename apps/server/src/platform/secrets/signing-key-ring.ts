import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { SecretEngine } from './secret-engine.ts';
import {
  endorsedBytes,
  generateSigningKey,
  keyIdOf,
  signWith,
  spkiOf,
  type SigningKey,
  type VerifyingKey,
} from './signing-key.ts';

/** The signing keys of one purpose: one signs, and all that ever did are known. */
export interface SigningKeyRing {
  readonly current: SigningKey;
  /** The newest first, `current` among them, and the next one where it is announced already. */
  readonly known: readonly VerifyingKey[];
  /** Reads what another process has changed. */
  refresh(): Promise<void>;
}

/** A ring whose keys change. */
export interface RotatingKeyRing extends SigningKeyRing {
  /** Made and endorsed, but not signing yet. */
  readonly next: VerifyingKey | undefined;
  /** Makes the next key unless it is there. */
  prepare(now: Date): Promise<VerifyingKey>;
  /** From now on the next key signs; the private key before it is destroyed. */
  promote(now: Date): Promise<SigningKey>;
}

const bytes = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

const ringSchema = z.object({
  version: z.literal(1),
  /** The oldest first. */
  keys: z
    .array(
      z.object({
        publicKey: bytes,
        /** PKCS #8 in DER; destroyed when the key has ceased to sign. */
        privateKey: bytes.optional(),
        since: z.iso.datetime().transform((text) => new Date(text)),
        state: z.enum(['retired', 'current', 'next']),
        endorsement: z.object({ by: z.string(), signature: bytes }).optional(),
      }),
    )
    .refine((keys) => keys.filter(({ state }) => state === 'current').length === 1),
});

type RingFile = z.output<typeof ringSchema>;
type RingKey = RingFile['keys'][number];

export interface OpenRingOptions {
  readonly store: SecretEngine;
  readonly name: string;
  /** The key of an installation that had one before there were rings. */
  readonly first?: KeyObject | undefined;
  readonly now: Date;
}

export const ringFileOf = (name: string): string => `keys/${name}-signing-keys.json`;

/** Opens the ring of a name; the first call makes it. */
export async function openSigningKeyRing(options: OpenRingOptions): Promise<RotatingKeyRing> {
  const { store, name } = options;
  const file = ringFileOf(name);
  const found = (await store.read(file)) ?? (await store.create(file, toText(firstRing(options))));
  let keys = parse(found, store.placeOf(file));
  const save = async (changed: readonly RingKey[]): Promise<void> => {
    await store.replace(file, toText(changed));
    keys = [...changed];
  };
  const keyIn = (state: RingKey['state']): RingKey | undefined =>
    keys.find((key) => key.state === state);
  const ring: RotatingKeyRing = {
    get current() {
      return toSigningKey(keyIn('current'));
    },
    get known() {
      return keys.toReversed().map(toVerifyingKey);
    },
    get next() {
      const next = keyIn('next');
      return next && toVerifyingKey(next);
    },
    async refresh() {
      const text = await store.read(file);
      // A store that is away for a moment changes nothing.
      if (text !== undefined) keys = parse(text, store.placeOf(file));
    },
    async prepare(now) {
      await ring.refresh();
      if (ring.next === undefined) await save([...keys, await nextKey(name, ring.current, now)]);
      return toVerifyingKey(keyIn('next'));
    },
    async promote(now) {
      await ring.refresh();
      if (ring.next === undefined) throw new Error(`the ring ${name} has no next key`);
      await save(keys.map((key) => promoted(key, now)));
      return ring.current;
    },
  };
  return ring;
}

/** The file of a ring that goes on after these keys, whose private keys are not at hand, with a key of its own. */
export function ringFileAfter(known: readonly VerifyingKey[], now: Date): Buffer {
  const retired = known.map(({ publicKey, since, endorsement }): RingKey => {
    const copy = endorsement && {
      by: endorsement.by,
      signature: new Uint8Array(endorsement.signature),
    };
    return { publicKey: new Uint8Array(publicKey), since, state: 'retired', endorsement: copy };
  });
  const current: RingKey = { ...bytesOf(generateSigningKey()), since: now, state: 'current' };
  return toText([...retired.toReversed(), current]);
}

function firstRing({ first, now }: OpenRingOptions): readonly RingKey[] {
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

function promoted(key: RingKey, now: Date): RingKey {
  if (key.state === 'next') return { ...key, state: 'current', since: now };
  const { privateKey: _destroyed, ...rest } = key;
  return { ...rest, state: 'retired' };
}

const bytesOf = (key: KeyObject) => ({
  publicKey: new Uint8Array(spkiOf(key)),
  privateKey: new Uint8Array(key.export({ format: 'der', type: 'pkcs8' })),
});

function toVerifyingKey(key: RingKey | undefined): VerifyingKey {
  if (key === undefined) throw new Error('the ring has no such key');
  const { publicKey, since, endorsement } = key;
  return { keyId: keyIdOf(publicKey), publicKey, since, endorsement };
}

function toSigningKey(key: RingKey | undefined): SigningKey {
  if (key?.privateKey === undefined) throw new Error('the ring has no key that signs');
  const privateKey = createPrivateKey({
    key: Buffer.from(key.privateKey),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...toVerifyingKey(key), sign: (message) => signWith(privateKey, message) };
}

function toText(keys: readonly RingKey[]): Buffer {
  const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');
  const plain = keys.map(({ publicKey, privateKey, endorsement, ...key }) => ({
    ...key,
    publicKey: base64(publicKey),
    ...(privateKey && { privateKey: base64(privateKey) }),
    ...(endorsement && {
      endorsement: { by: endorsement.by, signature: base64(endorsement.signature) },
    }),
  }));
  return Buffer.from(`${JSON.stringify({ version: 1, keys: plain }, undefined, 2)}\n`);
}

function parse(text: Buffer, place: string): RingKey[] {
  try {
    return ringSchema.parse(JSON.parse(text.toString('utf8'))).keys;
  } catch (error) {
    throw new Error(`${place} is not a ring of signing keys`, { cause: error });
  }
}
