import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { COLLECTED_ARTIFACT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import { refuse } from '@deviceportal/contract/refuse';
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts';

export interface StoredArtifact extends StoredFile {
  /** Random key of the content in the store. */
  readonly storageKey: string;
}

/** Stores collected files by random keys, so that external names never become keys. */
export interface ArtifactStore extends Pick<FileStore, 'open' | 'remove'> {
  /**
   * @param roomBytes remaining space, if less than the maximum file size
   * @throws PortalError 2004 above the limit; nothing is stored then
   */
  put(content: Readable, roomBytes?: number): Promise<StoredArtifact>;
}

export function createArtifactStore(
  files: FileStore,
  limitBytes = COLLECTED_ARTIFACT_LIMIT_BYTES,
): ArtifactStore {
  return {
    async put(content, roomBytes = limitBytes) {
      const storageKey = randomUUID();
      const limited = upTo(Math.min(limitBytes, roomBytes), content);
      return { storageKey, ...(await files.put(storageKey, limited)) };
    },
    open: (storageKey) => files.open(storageKey),
    remove: (storageKey) => files.remove(storageKey),
  };
}

async function* upTo(limitBytes: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw refuse('file-too-large', { facts: { limitBytes } });
    yield chunk;
  }
}
