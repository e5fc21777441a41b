import type { FileStore } from './file-store.ts';

/** The content of a small file, such as a document; undefined if there is no such file. */
export async function readWhole(
  files: Pick<FileStore, 'open'>,
  key: string,
): Promise<Buffer | undefined> {
  const opened = await files.open(key);
  if (opened === undefined) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of opened.content as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
