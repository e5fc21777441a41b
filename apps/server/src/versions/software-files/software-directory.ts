import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { SoftwareFiles } from './software-files.ts';

const KEY = /^[0-9a-f-]{36}$/;

/** Files in a directory tree of two levels, so that no directory grows too large; partial uploads next to them. */
export function createSoftwareDirectory(directory: string): SoftwareFiles {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new RangeError('not a key of this store');
    return join(directory, key.slice(0, 2), key);
  };
  const partOf = (key: string): string => `${pathOf(key)}.part`;
  return {
    async partBytes(storageKey) {
      return (await stat(partOf(storageKey)).catch(() => undefined))?.size ?? 0;
    },
    async writePart(storageKey, { start, end }, content) {
      const path = partOf(storageKey);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await (await open(path, 'a', 0o600)).close();
      const here = (await stat(path)).size;
      if (start > here) throw refuse('upload-part-missing', { facts: { start, stored: here } });
      async function* upToEnd(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        let at = start;
        for await (const chunk of source) {
          at += chunk.length;
          if (at > end + 1) throw refuse('upload-part-too-long');
          yield chunk;
        }
      }
      try {
        await pipeline(content, upToEnd, createWriteStream(path, { flags: 'r+', start }));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw diskFull();
        if (error instanceof PortalError) await truncate(path, Math.max(here, start));
        throw error;
      }
      return (await stat(path)).size;
    },
    async finishPart(storageKey) {
      const path = partOf(storageKey);
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
      }
      const file = await open(path, 'r+');
      await file.sync();
      await file.close();
      await rename(path, pathOf(storageKey));
      return { bytes, sha256: hash.digest('hex') };
    },
    async open(storageKey, range) {
      if (!KEY.test(storageKey)) return undefined;
      const found = await stat(pathOf(storageKey)).catch(() => undefined);
      return found === undefined ? undefined : createReadStream(pathOf(storageKey), range);
    },
    async remove(storageKey) {
      await rm(pathOf(storageKey), { force: true });
      await rm(partOf(storageKey), { force: true });
    },
  };
}

function diskFull(): PortalError {
  return refuse('server-disk-full');
}
