import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { Readable } from 'node:stream';
import type { ByteRange, FileUpload } from './file-store.ts';
import { isStoreFull } from './is-store-full.ts';

/**
 * Stores a piece of an upload at its offset; received data is kept if the upload is interrupted.
 * @returns number of bytes stored so far
 * @throws PortalError 2004 for a piece that begins after the stored bytes, or is longer than declared, which ends the
 * upload; 2004 when the disk is full
 */
export async function receivePiece(
  upload: FileUpload,
  { start, end }: ByteRange,
  content: Readable,
): Promise<number> {
  const stored = await upload.storedBytes();
  if (start > stored) throw refuse('upload-part-missing', { facts: { start, stored } });
  try {
    return await upload.putPart(start, upToEnd(content, end + 1 - start));
  } catch (error) {
    if (isStoreFull(error)) throw refuse('server-disk-full');
    if (error instanceof PortalError) await upload.abort();
    throw error;
  }
}

async function* upToEnd(content: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > most) throw refuse('upload-part-too-long');
    yield chunk;
  }
}
