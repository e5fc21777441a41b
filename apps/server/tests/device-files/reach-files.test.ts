import { execFileSync } from 'node:child_process';
import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileFailure } from '@deviceportal/contract/device-files';
import { PortalError } from '@deviceportal/contract/errors';
import { openFilesFixture, type FilesFixture } from './files-fixture.ts';

let fixture: FilesFixture;

beforeAll(async () => {
  // A careless operator: the state of the agent, devices, and processes are within allowed folders.
  fixture = await openFilesFixture({
    folders: ({ root }) => [join(root, 'state'), '/dev/zero', '/proc'],
  });
  await writeFile(join(fixture.outside, 'secret'), 'do not show');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const inside = (...names: string[]): string => join(fixture.writable, ...names);

/** Why the device refuses to list a folder. */
async function refusalOf(path: string): Promise<unknown> {
  try {
    await fixture.list(path);
  } catch (error) {
    return error instanceof PortalError ? error.facts['failure'] : error;
  }
  return null;
}

const failureOf = async (path: string): Promise<FileFailure | null> =>
  (await fixture.read(path)).failure;

describe('folders', () => {
  test('begin with the allowed ones, and the exchange folder of the agent', async () => {
    const { entries } = await fixture.list('');
    const names = entries.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual([
      join(fixture.stateDirectory, 'files'),
      fixture.writable,
      fixture.readOnly,
    ]);
    expect((await fixture.list(fixture.readOnly)).isWritable).toBe(false);
    expect((await fixture.list(join(fixture.stateDirectory, 'files'))).isWritable).toBe(true);
  });

  test('are sorted by what was asked for, folders first, and paged', async () => {
    await mkdir(inside('sorted', 'folder'), { recursive: true });
    for (const [name, size] of [
      ['b', 1],
      ['a', 300],
      ['c', 20],
    ] as const)
      await writeFile(inside('sorted', name), 'x'.repeat(size));
    const names = async (order: Parameters<FilesFixture['list']>[1]): Promise<string> =>
      (await fixture.list(inside('sorted'), order)).entries.map(({ name }) => name).join(' ');
    expect(await names({})).toBe('folder a b c');
    expect(await names({ sort: 'bytes', isDescending: true })).toBe('folder a c b');
    expect(await names({ offset: 2 })).toBe('b c');
  });

  test('with more than 100,000 entries are listed as far as they are read', async () => {
    await mkdir(inside('huge'), { recursive: true });
    execFileSync('sh', ['-c', 'seq -f "%06g" 1 100001 | xargs touch'], { cwd: inside('huge') });
    const first = await fixture.list(inside('huge'));
    expect(first).toMatchObject({ total: 100_000, isComplete: false });
    expect(first.entries).toHaveLength(200);
    const last = await fixture.list(inside('huge'), { sort: 'bytes', offset: 99_900 });
    expect(last.entries).toHaveLength(100);
  }, 60_000);

  test('show names with control characters, and such that are not UTF-8', async () => {
    await mkdir(inside('names'));
    const odd = 'a\nb\u202E\u0007"\\';
    await writeFile(inside('names', odd), 'odd');
    await writeFile(Buffer.concat([Buffer.from(inside('names', 'x')), Buffer.from([0xff])]), '');
    const { entries } = await fixture.list(inside('names'));
    expect(entries).toMatchObject([
      { name: odd, isExact: true },
      { name: 'x\uFFFD', isExact: false },
    ]);
    expect(await fixture.contentOf(await fixture.read(inside('names', odd)))).toEqual(
      Buffer.from('odd'),
    );
  });
});

describe('what is not reached', () => {
  const cases: readonly (readonly [string, () => string, FileFailure])[] = [
    ['a path above', () => `${fixture.writable}/../outside/secret`, 'name'],
    ['a path that is not absolute', () => 'secret', 'name'],
    ['a path that is not normal', () => `${fixture.writable}//x`, 'name'],
    ['a path outside', () => join(fixture.outside, 'secret'), 'outside'],
    ['a folder whose name only begins the same', () => `${fixture.writable}-2/x`, 'outside'],
    ['a missing file', () => inside('missing'), 'not-found'],
    ['a file as a folder', () => join(inside('plain'), 'x'), 'not-a-folder'],
    ['a symbolic link to the outside', () => inside('link'), 'outside'],
    ['a symbolic link above a file', () => inside('up', 'secret'), 'outside'],
    ['a link to itself', () => inside('loop'), 'not-found'],
    ['a folder as a file', () => fixture.writable, 'not-a-file'],
    ['a pipe, without waiting for it', () => inside('pipe'), 'not-a-file'],
    ['a device without an end', () => '/dev/zero', 'not-a-file'],
    ['the environment of the agent', () => '/proc/self/environ', 'protected'],
    ['a file by a link of the kernel', () => '/proc/self/cwd/package.json', 'outside'],
    ['the keys of the agent', () => join(fixture.stateDirectory, 'identity.json'), 'protected'],
    ['the journal of the agent', () => join(fixture.stateDirectory, 'journal.jsonl'), 'protected'],
    ['a hard link to the keys', () => inside('hard'), 'protected'],
  ];
  test.each(cases)('%s', async (_what, path, expected) => {
    await prepare();
    expect(await failureOf(path())).toBe(expected);
  });

  test('the state of the agent as a folder', async () => {
    expect(await refusalOf(fixture.stateDirectory)).toBe('protected');
    expect(await refusalOf('/proc/self')).toBe('protected');
    expect(await refusalOf(fixture.outside)).toBe('outside');
  });

  test('a link that is exchanged all the time never leads outside', async () => {
    await mkdir(inside('real'), { recursive: true });
    await writeFile(inside('real', 'secret'), 'may be shown');
    let isRunning = true;
    const exchange = (async () => {
      for (let turn = 0; isRunning; turn += 1) {
        const to = turn % 2 === 0 ? fixture.outside : inside('real');
        await rm(inside('next'), { force: true });
        await symlink(to, inside('next'));
        await rename(inside('next'), inside('swapped'));
      }
    })();
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const transfer = await fixture.read(inside('swapped', 'secret'));
      seen.add(
        transfer.state === 'done'
          ? (await fixture.contentOf(transfer)).toString()
          : String(transfer.failure),
      );
    }
    isRunning = false;
    await exchange;
    expect(seen).not.toContain('do not show');
    expect(seen).toContain('may be shown');
    expect(seen).toContain('outside');
  }, 60_000);
});

let isPrepared = false;

async function prepare(): Promise<void> {
  if (isPrepared) return;
  isPrepared = true;
  await writeFile(inside('plain'), 'plain');
  await mkdir(`${fixture.writable}-2`, { recursive: true });
  await writeFile(`${fixture.writable}-2/x`, 'do not show');
  await symlink(join(fixture.outside, 'secret'), inside('link'));
  await symlink(fixture.outside, inside('up'));
  await symlink(inside('loop'), inside('loop'));
  await link(join(fixture.stateDirectory, 'identity.json'), inside('hard'));
  execFileSync('mkfifo', [inside('pipe')]);
}
