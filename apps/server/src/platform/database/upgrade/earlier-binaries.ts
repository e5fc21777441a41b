import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../process/start-error.ts';
import type { PostgresBinaries } from '../postgres-binaries.ts';

/**
 * The programs of an earlier major version of PostgreSQL, to read a cluster that it made.
 *
 * @param folder its programs, such as `/usr/lib/postgresql/17/bin`
 * @throws StartError if they are missing, or of another version
 */
export async function findEarlierBinaries(
  folder: string | undefined,
  major: number,
): Promise<PostgresBinaries> {
  const setting = 'DEVICEPORTAL_EARLIER_POSTGRES';
  if (folder === undefined) {
    throw new StartError(
      `The database in the data folder is of PostgreSQL ${major}. To upgrade it, install PostgreSQL ${major}, and set ${setting} to the folder of its programs (docs/guides/upgrading.md).`,
    );
  }
  const postgres = join(folder, 'postgres');
  const found = await readMajor(postgres);
  if (found !== major) {
    throw new StartError(
      found === undefined
        ? `${setting}: there is no PostgreSQL in ${folder}.`
        : `${setting}: ${folder} contains PostgreSQL ${found}, but the database in the data folder is of PostgreSQL ${major}.`,
    );
  }
  return { initdb: join(folder, 'initdb'), postgres, major, packageDir: folder, environment: {} };
}

async function readMajor(postgres: string): Promise<number | undefined> {
  try {
    await access(postgres);
    const { stdout } = await promisify(execFile)(postgres, ['--version']);
    const [, major] = /PostgreSQL\)? (\d+)/.exec(stdout) ?? [];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}
