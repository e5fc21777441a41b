import { digesting } from './digesting.ts';
import type { FileStore, FoundFile } from './file-store.ts';

export interface CopiedStore {
  readonly from: FileStore;
  readonly to: FileStore;
}

export interface CopyCount {
  readonly files: number;
  readonly bytes: number;
}

export interface CopyProgress {
  readonly total: CopyCount;
  /** Stored and read again with the same digest. */
  readonly copied: CopyCount;
  /** Were there already, with the same digest. */
  readonly present: CopyCount;
}

/** Requests of a store at the same time. */
const AT_ONCE = 8;

/**
 * Copies all files of stores. A file that is there with the same digest is not copied again, so that
 * an interrupted copy continues. Files that are deleted meanwhile are left out.
 * @throws the error of a store, after the files in progress
 */
export async function copyFiles(
  stores: readonly CopiedStore[],
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyProgress> {
  let progress: CopyProgress = {
    total: await countFiles(stores),
    copied: { files: 0, bytes: 0 },
    present: { files: 0, bytes: 0 },
  };
  const files = filesOf(stores);
  let isStopped = false;
  const copyNext = async (): Promise<void> => {
    for (;;) {
      const next = isStopped ? undefined : await files.next();
      if (next === undefined || next.done === true) return;
      const { store, file } = next.value;
      const outcome = await copyFile(store, file).catch((error: unknown) => {
        isStopped = true;
        throw error;
      });
      if (outcome === 'gone') continue;
      progress = { ...progress, [outcome]: plus(progress[outcome], file.bytes) };
      onProgress(progress);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, copyNext));
  await files.return();
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return progress;
}

async function copyFile(
  { from, to }: CopiedStore,
  { key, bytes }: FoundFile,
): Promise<'copied' | 'present' | 'gone'> {
  const there = await to.find(key);
  if (there?.bytes === bytes && (await digestOf(to, key)) === (await digestOf(from, key))) {
    return 'present';
  }
  const opened = await from.open(key);
  if (opened === undefined) return 'gone';
  try {
    const { sha256 } = await to.put(key, opened.content);
    if ((await digestOf(to, key)) !== sha256) throw new Error(`the copy of ${key} differs`);
    return 'copied';
  } finally {
    opened.content.destroy();
  }
}

async function digestOf(files: FileStore, key: string): Promise<string | undefined> {
  const opened = await files.open(key);
  if (opened === undefined) return undefined;
  const { measure, result } = digesting();
  for await (const _chunk of measure(opened.content));
  return result().sha256;
}

async function countFiles(stores: readonly CopiedStore[]): Promise<CopyCount> {
  let count = { files: 0, bytes: 0 };
  for await (const { file } of filesOf(stores)) count = plus(count, file.bytes);
  return count;
}

async function* filesOf(
  stores: readonly CopiedStore[],
): AsyncGenerator<{ readonly store: CopiedStore; readonly file: FoundFile }, void, void> {
  for (const store of stores) {
    for await (const file of store.from.list('')) yield { store, file };
  }
}

const plus = (count: CopyCount, bytes: number): CopyCount => ({
  files: count.files + 1,
  bytes: count.bytes + bytes,
});
