import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import type { SecretEngine } from './secret-engine.ts';

export const INSTALLATION_KEY_FILE = 'keys/installation.key';
const KEY_BYTES = 32;

/** The key from which others are derived: the current one seals, and each known one opens. */
export interface InstallationKeyRing {
  readonly current: Uint8Array;
  /** Made, so that every server can open what it will seal. */
  readonly next: Uint8Array | undefined;
  /** Seal no more. */
  readonly earlier: readonly Uint8Array[];
  /** Reads what another process has changed. */
  refresh(): Promise<void>;
  /** Makes the next key unless it is there. */
  prepare(): Promise<void>;
  /** From now on the next key seals. */
  promote(): Promise<void>;
  /** Destroys the keys that seal no more: what is still sealed with them opens never again. */
  destroyEarlier(): Promise<void>;
}

const key = z.base64().transform((text, context): Uint8Array => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength !== KEY_BYTES) context.addIssue(`must have ${KEY_BYTES} bytes`);
  return bytes;
});

/** The file has the key alone until it is rotated for the first time. */
const ringSchema = z.object({
  version: z.literal(1),
  current: key,
  next: key.optional(),
  /** The newest first. */
  earlier: z.array(key),
});
type Keys = z.output<typeof ringSchema>;

/**
 * Opens the installation key; the first call makes it.
 * @throws StartError when the file is none
 */
export async function openInstallationKeyRing(store: SecretEngine): Promise<InstallationKeyRing> {
  const place = store.placeOf(INSTALLATION_KEY_FILE);
  const found =
    (await store.read(INSTALLATION_KEY_FILE)) ??
    (await store.create(INSTALLATION_KEY_FILE, randomBytes(KEY_BYTES)));
  let keys = parse(found, place);
  const save = async (changed: Keys): Promise<void> => {
    await store.replace(INSTALLATION_KEY_FILE, toText(changed));
    keys = changed;
  };
  const ring: InstallationKeyRing = {
    get current() {
      return keys.current;
    },
    get next() {
      return keys.next;
    },
    get earlier() {
      return keys.earlier;
    },
    async refresh() {
      const text = await store.read(INSTALLATION_KEY_FILE);
      // A store that is away for a moment changes nothing.
      if (text !== undefined) keys = keepIdentity(keys, parse(text, place));
    },
    async prepare() {
      await ring.refresh();
      if (keys.next === undefined) {
        await save({ ...keys, next: new Uint8Array(randomBytes(KEY_BYTES)) });
      }
    },
    async promote() {
      await ring.refresh();
      const { next, current, earlier } = keys;
      if (next === undefined) throw new Error('there is no next installation key');
      await save({ version: 1, current: next, earlier: [current, ...earlier] });
    },
    async destroyEarlier() {
      await ring.refresh();
      await save({ ...keys, earlier: [] });
    },
  };
  return ring;
}

/** The same array for the same key, so that values derived from a key can be cached by it. */
function keepIdentity(before: Keys, now: Keys): Keys {
  const known = [before.current, ...(before.next ? [before.next] : []), ...before.earlier];
  const same = (one: Uint8Array): Uint8Array =>
    known.find((other) => Buffer.compare(one, other) === 0) ?? one;
  return {
    version: 1,
    current: same(now.current),
    ...(now.next && { next: same(now.next) }),
    earlier: now.earlier.map(same),
  };
}

function toText({ current, next, earlier }: Keys): Buffer {
  const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64');
  const plain = {
    version: 1,
    current: base64(current),
    ...(next && { next: base64(next) }),
    earlier: earlier.map(base64),
  };
  return Buffer.from(`${JSON.stringify(plain, undefined, 2)}\n`);
}

function parse(content: Buffer, place: string): Keys {
  if (content.byteLength === KEY_BYTES) {
    return { version: 1, current: new Uint8Array(content), earlier: [] };
  }
  try {
    return ringSchema.parse(JSON.parse(content.toString('utf8')));
  } catch (error) {
    throw new StartError(
      `${place} is not an installation key: it must have ${KEY_BYTES} bytes, or be what a rotation wrote.`,
      { cause: error },
    );
  }
}
