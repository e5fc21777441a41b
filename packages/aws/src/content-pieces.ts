import type { FileContent } from '@deviceportal/server/aws-package';

/** Content in pieces of a fixed size, the last of which can be shorter; none for empty content. */
export async function* contentPieces(
  content: FileContent,
  bytes: number,
): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let missing = bytes;
  for await (const chunk of content) {
    let rest = toBuffer(chunk);
    while (rest.length >= missing) {
      yield Buffer.concat([...held, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      held = [];
      missing = bytes;
    }
    if (rest.length > 0) held.push(rest);
    missing -= rest.length;
  }
  if (held.length > 0) yield Buffer.concat(held);
}

/** Content without its first bytes. */
export async function* contentFrom(
  content: FileContent,
  skippedBytes: number,
): AsyncGenerator<Buffer, void> {
  let skip = skippedBytes;
  for await (const chunk of content) {
    const piece = toBuffer(chunk);
    if (skip < piece.length) yield piece.subarray(skip);
    skip = Math.max(0, skip - piece.length);
  }
}

const toBuffer = (chunk: Uint8Array | string): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
