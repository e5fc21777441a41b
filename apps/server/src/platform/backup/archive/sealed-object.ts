import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { digesting } from '../../files/digesting.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import { decryptWith } from '../backup-encryption.ts';
import { signedBytes } from '../backup-format.ts';
import { deliverEncrypted } from '../deliver-encrypted.ts';
import type { BackupSignature } from '../load-backup.ts';
import { DamagedBackup } from '../refused-backup.ts';

/** Who can read what is stored, and who signs it. */
export interface ArchiveSeal {
  /** At least one (`age1…`). */
  readonly recipients: readonly string[];
  readonly sign: Pick<SigningKey, 'keyId' | 'sign'>;
}

/** An object of an archive: where it is, and its name in the whole archive, which its signature covers. */
export interface ArchiveObject {
  readonly store: FileStore;
  readonly key: string;
  /** `chain/folder/key`. */
  readonly name: string;
}

const headSchema = z.object({
  format: z.literal('device-portal-archive'),
  version: z.literal(1),
  name: z.string(),
  /** Of the content. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  keyId: z.string(),
  signature: z.base64(),
});

/** The digest that is signed: an object cannot be used in place of another one. */
const boundDigest = (name: string, sha256: string): string =>
  createHash('sha256').update(`${name}\n${sha256}\n`).digest('hex');

/**
 * Stores content: signed with its name, compressed, and encrypted.
 * @param read the same content each time: it is read twice
 */
export async function putSealed(
  { store, key, name }: ArchiveObject,
  read: () => Promise<Readable>,
  { recipients, sign }: ArchiveSeal,
): Promise<void> {
  const { measure, result } = digesting();
  await pipeline(await read(), measure, async (content) => {
    for await (const _ of content);
  });
  const { sha256 } = result();
  const signature = Buffer.from(await sign.sign(signedBytes(boundDigest(name, sha256))));
  const head: z.infer<typeof headSchema> = {
    format: 'device-portal-archive',
    version: 1,
    ...{ name, sha256, keyId: sign.keyId, signature: signature.toString('base64') },
  };
  const content = withHead(head, await read());
  await deliverEncrypted(content, recipients, (stored) => store.put(key, stored));
}

async function* withHead(head: object, content: Readable): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(head)}\n`;
  yield* content;
}

/**
 * The content of an object and its signature, which the caller verifies.
 * @param use receives the content; it is authenticated only when that has been read to its end
 * @returns undefined if there is no such object
 * @throws DamagedBackup if it was changed, or is another object
 */
export async function openSealed(
  { store, key, name }: ArchiveObject,
  identities: readonly string[],
  use: (content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BackupSignature | undefined> {
  const found = await store.open(key);
  if (found === undefined) return undefined;
  const { measure, result } = digesting();
  let head: z.infer<typeof headSchema> | undefined;
  try {
    await pipeline(
      await decryptWith(identities, found.content),
      createGunzip(),
      async function (source: AsyncIterable<Buffer>) {
        const pieces = source[Symbol.asyncIterator]();
        const { line, rest } = await readHead(pieces);
        const parsed = headSchema.safeParse(asJson(line));
        if (!parsed.success || parsed.data.name !== name)
          throw new DamagedBackup('is another object');
        head = parsed.data;
        await use(measure(following(rest, pieces)));
      },
    );
  } catch (error) {
    if (error instanceof DamagedBackup || !isOfContent(error)) throw error;
    throw new DamagedBackup('is truncated or damaged', { cause: error });
  }
  if (head === undefined || result().sha256 !== head.sha256) {
    throw new DamagedBackup('is truncated or damaged');
  }
  return {
    keyId: head.keyId,
    signature: Buffer.from(head.signature, 'base64'),
    sha256: boundDigest(name, head.sha256),
  };
}

/** The content of an object that fits in memory. */
export async function readSealed(
  object: ArchiveObject,
  identities: readonly string[],
): Promise<{ readonly content: Buffer; readonly signature: BackupSignature } | undefined> {
  const pieces: Buffer[] = [];
  const signature = await openSealed(object, identities, async (content) => {
    for await (const piece of content) pieces.push(piece);
  });
  return signature && { content: Buffer.concat(pieces), signature };
}

/** Errors of decryption and decompression; those of the disk have a system call. */
const isOfContent = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).syscall === undefined;

const HEAD_LIMIT_BYTES = 4_096;

async function readHead(
  pieces: AsyncIterator<Buffer>,
): Promise<{ readonly line: string; readonly rest: Buffer }> {
  let held = Buffer.alloc(0);
  for (;;) {
    const end = held.indexOf(0x0a);
    if (end !== -1) return { line: held.toString('utf8', 0, end), rest: held.subarray(end + 1) };
    const { value, done } = await pieces.next();
    if (done === true || held.length > HEAD_LIMIT_BYTES) {
      throw new DamagedBackup('is truncated or damaged');
    }
    held = Buffer.concat([held, value]);
  }
}

async function* following(rest: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield rest;
  for (;;) {
    const { value, done } = await pieces.next();
    if (done === true) return;
    yield value;
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
