import { createHash } from 'node:crypto';
import type { StoredFile } from './file-store.ts';

export interface Digesting {
  /** Passes content on unchanged. */
  readonly measure: (source: AsyncIterable<Uint8Array | string>) => AsyncGenerator<Buffer>;
  /** Size and digest of what was passed on. */
  readonly result: () => StoredFile;
}

/** Measures content while it is transferred. */
export function digesting(): Digesting {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *measure(source) {
      for await (const chunk of source) {
        const piece =
          typeof chunk === 'string'
            ? Buffer.from(chunk)
            : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
