import { spawnSync } from 'node:child_process';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const FILLER = 'filler';
const PIECE = Buffer.alloc(65_536);

export interface LimitedDisk extends AsyncDisposable {
  /** Leaves less room than a block. */
  readonly fill: () => Promise<void>;
  readonly empty: () => Promise<void>;
  /** Paths of all files except the one that fills it. */
  readonly files: () => Promise<readonly string[]>;
}

function tryMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const found = spawnSync('sh', [
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs -o size=64k none $d && umount $d && rmdir $d',
  ]);
  return found.status === 0;
}

/** A disk of a small size in memory, which only root can mount. */
export const limitedDisk = {
  isMissing: !tryMount(),

  async mount(folder: string, size: string): Promise<LimitedDisk> {
    await mkdir(folder, { recursive: true });
    run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'none', folder]);
    const filler = join(folder, FILLER);
    return {
      fill: () => fill(filler),
      empty: () => rm(filler, { force: true }),
      files: async () => {
        const found = await readdir(folder, { recursive: true, withFileTypes: true });
        return found
          .filter((each) => each.isFile() && each.name !== FILLER)
          .map(({ parentPath, name }) => join(parentPath, name));
      },
      // Files of a process that still ends do not keep it mounted.
      [Symbol.asyncDispose]: async () => run('umount', ['-l', folder]),
    };
  },
};

async function fill(file: string): Promise<void> {
  const filler = await open(file, 'a');
  try {
    for (;;) {
      const { bytesWritten } = await filler.write(PIECE);
      if (bytesWritten < PIECE.length) return;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await filler.close();
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}
