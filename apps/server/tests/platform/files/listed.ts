import type { FileStore, FoundFile } from '../../../src/platform/files/file-store.ts';

export async function listed(files: FileStore, prefix: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const file of files.list(prefix)) found.push(file);
  return found;
}
