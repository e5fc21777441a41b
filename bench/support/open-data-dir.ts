import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of a database: one that is kept for the next run, or a temporary one. */
export async function openDataDir(
  cleanup: AsyncDisposableStack,
  keepIn: string | undefined,
): Promise<string> {
  if (keepIn !== undefined) {
    await mkdir(keepIn, { recursive: true });
    return keepIn;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  return dataDir;
}
