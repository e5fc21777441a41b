import { randomUUID } from 'node:crypto';
import { StartError } from '../process/start-error.ts';
import type { FilePlace } from './file-place.ts';
import type { FileStore } from './file-store.ts';
import { readWhole } from './read-whole.ts';
import { s3ErrorName } from './s3-error.ts';

/**
 * Stores a file, compares what the place returns and lists, and removes it.
 * @throws StartError with one line if the place cannot be reached, read, written, or listed, or
 * replaces a file that was to be absent
 */
export async function requireUsablePlace({ name, setting, open }: FilePlace): Promise<void> {
  const files = open([]);
  const key = `start-check-${randomUUID()}`;
  const fault = async (): Promise<string | undefined> => {
    await files.put(key, content(key), { ifAbsent: true });
    if ((await readWhole(files, key))?.toString() !== key) return 'it returns another content';
    if (!(await isListed(files, key))) return 'it does not list what it stores';
    const isReplaced = await files.put(key, content('again'), { ifAbsent: true }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    await files.remove(key);
    return isReplaced ? 'it ignores conditions of a write (If-None-Match)' : undefined;
  };
  const found = await fault().catch((error: unknown) => causeOf(error));
  if (found === undefined) return;
  throw new StartError(
    `${setting} is ${name}, which cannot be used: ${found}. It must be reachable, and the server must be allowed to read, write, list, and delete there (docs/guides/files.md).`,
  );
}

async function isListed(files: FileStore, key: string): Promise<boolean> {
  for await (const found of files.list(key)) if (found.key === key) return true;
  return false;
}

async function* content(text: string): AsyncGenerator<string> {
  yield text;
}

const causeOf = (error: unknown): string =>
  s3ErrorName((error as Error).cause) ??
  (error as NodeJS.ErrnoException).code ??
  (error as Error).message;
