import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { StartError } from '../process/start-error.ts';
import { DamagedBackup } from './refused-backup.ts';

/** Magic bytes of the age format (age-encryption.org/v1). */
export const AGE_MAGIC = Buffer.from('age-encryption.org/v1\n');

/**
 * Encrypts a stream for all recipients (`age1…`) in chunks of 64 KiB, so that its length is not
 * limited.
 * @throws StartError if a recipient is not valid
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

/** @throws DamagedBackup if it is encrypted for other recipients, or its header was changed */
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
    throw new DamagedBackup('is encrypted for another identity, or its header was changed', {
      cause: error,
    });
  }
}

/**
 * Reads identities in the format of `age-keygen`: one per line, and comments.
 * @throws StartError if the file contains none
 */
export async function readIdentities(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`Cannot read ${file}.`, { cause: error });
  });
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const probe = new Decrypter();
  try {
    if (identities.length === 0) throw new Error('no identity found');
    for (const identity of identities) probe.addIdentity(identity);
  } catch (error) {
    throw new StartError(`${file} does not contain age identities (AGE-SECRET-KEY-1…).`, {
      cause: error,
    });
  }
  return identities;
}

/** Creates an identity in the format of `age-keygen`, and its recipient. */
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
