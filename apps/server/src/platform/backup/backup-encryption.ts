import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { StartError } from '../process/start-error.ts';
import { DamagedBackup } from './refused-backup.ts';

/** How every file of the age format begins (age-encryption.org/v1). */
export const AGE_MAGIC = Buffer.from('age-encryption.org/v1\n');

/**
 * Encrypts a stream for each of the recipients (`age1…`), 64 KiB at a time, so that its length does not matter.
 * @throws StartError when a recipient is none
 */
export async function encryptFor(
  recipients: readonly string[],
  source: Readable,
): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new StartError(`${recipient} is not an age recipient (age1…).`, { cause: error });
    }
  }
  return fromWeb(await encrypter.encrypt(toWeb(source)));
}

/** @throws DamagedBackup when it is encrypted for others, or its beginning was changed */
export async function decryptWith(
  identities: readonly string[],
  source: Readable,
): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(source)));
  } catch (error) {
    source.destroy();
    throw new DamagedBackup('is encrypted for another identity, or its beginning was changed', {
      cause: error,
    });
  }
}

/**
 * Identities as `age-keygen` writes them: one on a line, besides comments.
 * @throws StartError when the file has none
 */
export async function readIdentities(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`There is no file ${file} that can be read.`, { cause: error });
  });
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const probe = new Decrypter();
  try {
    if (identities.length === 0) throw new Error('no line is an identity');
    for (const identity of identities) probe.addIdentity(identity);
  } catch (error) {
    throw new StartError(`${file} is not a file of age identities (AGE-SECRET-KEY-1…).`, {
      cause: error,
    });
  }
  return identities;
}

/** A new identity as `age-keygen` writes it, and who encrypts for it. */
export async function makeIdentity(
  now: Date,
): Promise<{ readonly text: string; readonly recipient: string }> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# created: ${now.toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  return { text, recipient };
}

const toWeb = (source: Readable) =>
  Readable.toWeb(source) as unknown as globalThis.ReadableStream<Uint8Array>;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as ReadableStream<Uint8Array>);
