import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { encryptFor } from './backup-encryption.ts';

/**
 * Compresses and encrypts content while it is delivered. A failure of either ends both.
 * @param recipients `age1…`, or `plaintext` without encryption
 * @returns what `deliver` returned
 */
export async function deliverEncrypted<Delivered>(
  content: AsyncIterable<Buffer | string>,
  recipients: readonly string[] | 'plaintext',
  deliver: (stored: Readable) => Promise<Delivered>,
): Promise<Delivered> {
  const zipped = createGzip({ level: 5 });
  const stored = recipients === 'plaintext' ? zipped : await encryptFor(recipients, zipped);
  // Its error is that of one of the two, and nothing may read it anymore.
  stored.on('error', () => {});
  const [, delivered] = await Promise.all([
    pipeline(content, zipped),
    deliver(stored).catch((error: unknown) => {
      zipped.destroy(error as Error);
      throw error;
    }),
  ]);
  return delivered;
}
