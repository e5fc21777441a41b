import { buffer } from 'node:stream/consumers';
import type { FileStore } from './file-store.ts';

/** The content of a small file, such as a document; undefined if there is no such file. */
export async function readWhole(
  files: Pick<FileStore, 'open'>,
  key: string,
): Promise<Buffer | undefined> {
  const opened = await files.open(key);
  return opened && buffer(opened.content);
}
