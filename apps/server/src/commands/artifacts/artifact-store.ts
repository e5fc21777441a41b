import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { COLLECTED_ARTIFACT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';

export interface StoredArtifact {
  /** Random key of the content in the store. */
  readonly storageKey: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Stores collected files by random keys, so that external names never become paths. */
export interface ArtifactStore {
  /**
   * @param roomBytes remaining space, if less than the maximum file size
   * @throws PortalError 2004 above the limit; nothing is stored then
   */
  put(content: Readable, roomBytes?: number): Promise<StoredArtifact>;
  /** Undefined if the content does not exist. */
  open(
    storageKey: string,
    /** Byte offsets, both inclusive; absent for all bytes. */
    range?: { readonly start: number; readonly end: number },
  ): Promise<Readable | undefined>;
  remove(storageKey: string): Promise<void>;
}

const KEY = /^[0-9a-f-]{36}$/;

/** Stores files in a directory, two levels deep so that no directory gets too large. */
export function createDirectoryArtifactStore(
  directory: string,
  limitBytes = COLLECTED_ARTIFACT_LIMIT_BYTES,
): ArtifactStore {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new RangeError('invalid storage key');
    return join(directory, key.slice(0, 2), key);
  };
  return {
    async put(content, roomBytes = limitBytes) {
      const mostBytes = Math.min(limitBytes, roomBytes);
      const storageKey = randomUUID();
      const path = pathOf(storageKey);
      await mkdir(join(directory, storageKey.slice(0, 2)), { recursive: true, mode: 0o700 });
      const hash = createHash('sha256');
      let bytes = 0;
      async function* measured(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of source) {
          bytes += chunk.length;
          if (bytes > mostBytes) throw tooLarge(mostBytes);
          hash.update(chunk);
          yield chunk;
        }
      }
      try {
        await pipeline(content, measured, createWriteStream(`${path}.part`, { mode: 0o600 }));
        await rename(`${path}.part`, path);
      } catch (error) {
        await rm(`${path}.part`, { force: true });
        throw error;
      }
      return { storageKey, bytes, sha256: hash.digest('hex') };
    },
    async open(storageKey, range) {
      if (!KEY.test(storageKey)) return undefined;
      const path = pathOf(storageKey);
      const found = await stat(path).catch(() => undefined);
      return found === undefined ? undefined : createReadStream(path, range);
    },
    async remove(storageKey) {
      await rm(pathOf(storageKey), { force: true });
    },
  };
}

function tooLarge(limitBytes: number): PortalError {
  return refuse('file-too-large', { facts: { limitBytes } });
}
