import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StartError } from '../process/start-error.ts';
import { ringSchemaOf, RotationRing, type RingContent } from './rotation-ring.ts';
import type { SecretEngine } from './secret-engine.ts';

export const INSTALLATION_KEY_FILE = 'keys/installation.key';
const KEY_BYTES = 32;

const key = z.base64().transform((text, context): Uint8Array => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength !== KEY_BYTES) context.addIssue(`must have ${KEY_BYTES} bytes`);
  return bytes;
});

/** The file contains only the key until its first rotation. */
const ringSchema = ringSchemaOf(key, key);
type Keys = RingContent<Uint8Array, Uint8Array>;

/** The key from which others are derived. The current key seals; all known keys open. */
export class InstallationKeyRing extends RotationRing<Uint8Array, Uint8Array> {
  /** Creates the next key if there is none, so that all servers can open what it will seal. */
  prepare(): Promise<void> {
    return this.prepareNext(() => new Uint8Array(randomBytes(KEY_BYTES)));
  }

  /** Makes the next key the current one. */
  promote(): Promise<void> {
    return this.promoteNext((before) => before);
  }

  /** Destroys the earlier keys. Data that is still sealed with them can never be opened again. */
  async destroyEarlier(): Promise<void> {
    await this.dropEarlier(() => true);
  }
}

/**
 * Opens the installation key. The first call creates it.
 * @throws StartError if the file is not valid
 */
export async function openInstallationKeyRing(store: SecretEngine): Promise<InstallationKeyRing> {
  const place = store.placeOf(INSTALLATION_KEY_FILE);
  const found =
    (await store.read(INSTALLATION_KEY_FILE)) ??
    (await store.create(INSTALLATION_KEY_FILE, randomBytes(KEY_BYTES)));
  return new InstallationKeyRing('installation key', parse(found, place), {
    read: async (held) => {
      const text = await store.read(INSTALLATION_KEY_FILE);
      return text && keepIdentity(held, parse(text, place));
    },
    write: (changed) => store.replace(INSTALLATION_KEY_FILE, toText(changed)),
  });
}

/** Keeps the same array for the same key, so that derived values can be cached by it. */
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
      `${place} is not a valid installation key. It must have ${KEY_BYTES} bytes or the format of a rotated key.`,
      { cause: error },
    );
  }
}
