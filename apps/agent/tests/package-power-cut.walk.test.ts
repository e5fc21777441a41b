import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PackageDirectory } from '../src/machine/package-directory.ts';
import { runPackageOperation, type TestOperation } from './support/run-package-operation.ts';

const TIMEOUT_MS = 110_000;
const run = promisify(execFile);
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'packages-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** An artifact of two files; one alone is not a complete version. */
async function artifact(content: string, script?: string): Promise<string> {
  const folder = join(directory, `source-${content}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'one'), content);
  await writeFile(join(folder, 'two'), content);
  if (script) await writeFile(join(folder, 'install.sh'), script);
  const path = join(directory, `${content}.tar`);
  await run('tar', ['-cf', path, '-C', folder, '.']);
  return path;
}

/** The content of the current version, or null if there is none. */
async function contentOf(root: string): Promise<string | null> {
  const link = join(root, 'tool/current');
  if ((await readlink(link).catch(() => null)) === null) return null;
  const one = await readFile(join(link, 'one'), 'utf8');
  expect(await readFile(join(link, 'two'), 'utf8')).toBe(one);
  return one;
}

async function stateOf(root: string) {
  const entries = await readdir(join(root, 'tool')).catch(() => [] as string[]);
  const previous = await readlink(join(root, 'tool/previous')).catch(() => null);
  const content = await contentOf(root);
  const beside = (await readdir(root)).toSorted();
  return { beside, entries: entries.toSorted(), content, previous };
}

/** True if the process killed itself. */
function crashes(root: string, operation: TestOperation, crashAt: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'support/package-process.ts'),
      root,
      JSON.stringify(operation),
      String(crashAt),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(signal === 'SIGKILL');
      else reject(new Error(`the operation ended with ${code}`));
    });
  });
}

/** Kills the operation before each of its file system calls, and returns their number. */
async function killEverywhere(operation: TestOperation): Promise<number> {
  const prepared = join(directory, 'prepared');
  const whole = join(directory, 'whole');
  const copy = (to: string) => cp(prepared, to, { recursive: true, verbatimSymlinks: true });
  await copy(whole);
  await runPackageOperation(whole, operation);
  const wanted = await stateOf(whole);
  const before = await contentOf(prepared);
  for (let crashAt = 1; ; crashAt += 1) {
    const root = join(directory, `crash-${crashAt}`);
    await copy(root);
    if (!(await crashes(root, operation, crashAt))) return crashAt - 1;
    const found = await contentOf(root);
    expect([before, wanted.content], `killed before call ${crashAt}`).toContain(found);
    await runPackageOperation(root, operation);
    expect(await stateOf(root), `killed before call ${crashAt}, then done again`).toEqual(wanted);
    await rm(root, { recursive: true, force: true });
  }
}

async function prepare(...versions: readonly string[]): Promise<void> {
  await mkdir(join(directory, 'prepared'), { recursive: true });
  const packages = new PackageDirectory(join(directory, 'prepared'));
  for (const version of versions) {
    const artifactPath = await artifact(version);
    await packages.install({ name: 'tool', version, artifactPath, operation: `old/${version}` });
  }
}

describe('kill -9 before every call of the file system', () => {
  test(
    'a first installation is complete or absent, and repeating it completes it',
    async () => {
      await prepare();
      const artifactPath = await artifact('new');
      const calls = await killEverywhere({ kind: 'install', version: '1.0', artifactPath });
      expect(calls).toBeGreaterThan(15);
    },
    TIMEOUT_MS,
  );

  test(
    'an upgrade leaves the old or the new version current, with a correct rollback target',
    async () => {
      await prepare('0.9', '1.0');
      const artifactPath = await artifact('2.0');
      await killEverywhere({ kind: 'install', version: '2.0', artifactPath });
      const whole = await stateOf(join(directory, 'whole'));
      expect(whole).toMatchObject({ content: '2.0', previous: '1.0' });
    },
    TIMEOUT_MS,
  );

  test(
    'installing the current version again never removes it in between',
    async () => {
      await prepare('0.9', '1.0');
      const artifactPath = await artifact('mended');
      await killEverywhere({ kind: 'install', version: '1.0', artifactPath });
      const whole = await stateOf(join(directory, 'whole'));
      expect(whole).toMatchObject({ content: 'mended', previous: '0.9' });
      expect(whole.entries).not.toContain('1.0');
    },
    TIMEOUT_MS,
  );

  test(
    'a rollback goes back once, however often it is started',
    async () => {
      await prepare('1.0', '2.0');
      await killEverywhere({ kind: 'rollback' });
      const whole = await stateOf(join(directory, 'whole'));
      expect(whole).toMatchObject({ content: '1.0', previous: '2.0' });
    },
    TIMEOUT_MS,
  );

  test(
    'a removed package is complete or absent, without remaining files',
    async () => {
      await prepare('1.0', '2.0');
      await killEverywhere({ kind: 'uninstall' });
      expect(await stateOf(join(directory, 'whole'))).toMatchObject({ beside: [], entries: [] });
    },
    TIMEOUT_MS,
  );
});

describe('failures without a kill', () => {
  test('an install script that dies with the agent leaves the old version current', async () => {
    await prepare('1.0');
    const root = join(directory, 'prepared');
    const mark = join(directory, 'mark');
    const script = `[ -e ${mark} ] && exit 0; touch ${mark}; kill -9 $PPID`;
    const artifactPath = await artifact('2.0', script);
    const operation: TestOperation = { kind: 'install', version: '2.0', artifactPath };
    expect(await crashes(root, operation, 0)).toBe(true);
    expect(await contentOf(root)).toBe('1.0');
    await runPackageOperation(root, operation);
    expect(await stateOf(root)).toMatchObject({ content: '2.0', previous: '1.0' });
  });

  test('an install script that fails changes nothing and leaves no files', async () => {
    await prepare('1.0');
    const root = join(directory, 'prepared');
    const before = await stateOf(root);
    const artifactPath = await artifact('2.0', 'exit 3');
    await expect(
      runPackageOperation(root, { kind: 'install', version: '2.0', artifactPath }),
    ).rejects.toThrow('install.sh');
    expect(await stateOf(root)).toEqual(before);
  });

  test('[package-8] a package that would not fit unpacked is rejected before it is unpacked', async () => {
    await prepare('1.0');
    const root = join(directory, 'prepared');
    const before = await stateOf(root);
    const freeBytes = () => Promise.resolve(33 * 1024 * 1024);
    const packages = new PackageDirectory(root, { freeBytes });
    const content = join(directory, 'large');
    await writeFile(content, Buffer.alloc(8 * 1024 * 1024));
    const artifactPath = join(directory, 'large.tar.gz');
    await run('tar', ['-czf', artifactPath, '-C', directory, 'large']);
    await expect(
      packages.install({ name: 'tool', version: '2.0', artifactPath, operation: 'o' }),
    ).rejects.toThrow('not enough space on the disk');
    expect(await stateOf(root)).toEqual(before);
  });

  test('every byte of a version is on disk before its name is', async () => {
    const order: string[] = [];
    const real = await import('node:fs/promises');
    const fileSystem = {
      ...real,
      open: async (...args: Parameters<typeof real.open>) => {
        const handle = await real.open(...args);
        const sync = handle.sync.bind(handle);
        handle.sync = () => {
          order.push(`sync ${String(args[0])}`);
          return sync();
        };
        return handle;
      },
      rename: (from: string, to: string) => {
        order.push(`rename ${to}`);
        return real.rename(from, to);
      },
    } as typeof real;
    await prepare();
    const root = join(directory, 'prepared');
    const artifactPath = await artifact('2.0');
    await runPackageOperation(root, { kind: 'install', version: '2.0', artifactPath }, fileSystem);
    const at = (event: string) => order.indexOf(event);
    const named = at(`rename ${root}/tool/2.0`);
    for (const file of ['one', 'two']) {
      const synced = at(`sync ${root}/tool/.2.0.new/${file}`);
      expect(synced).toBeGreaterThanOrEqual(0);
      expect(synced).toBeLessThan(named);
    }
    expect(at(`rename ${root}/tool/current`)).toBeGreaterThan(named);
    expect(order.indexOf(`sync ${root}/tool`, named)).toBeLessThan(
      at(`rename ${root}/tool/current`),
    );
  });
});
