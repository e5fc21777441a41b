import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { requireValidDocument } from '../../src/documents/validate-document.ts';

const asRoot = process.getuid?.() === 0;
const linux = process.platform === 'linux';
const old = new Date('1990-01-01');
let script = '';
let root = '';
let temporary = '';
let logs = '';

/** The document's own script; only the directories to clean are replaced. */
async function readScript(): Promise<string> {
  const all = await readBuiltinDocuments();
  const builtin = all.find(({ name }) => name === 'DevicePortal-storage-clean');
  const { document } = requireValidDocument(builtin?.content ?? '', builtin?.phasesText ?? '');
  const inputs = document.mainSteps[0]?.inputs as { runCommand?: string[] } | undefined;
  return (inputs?.runCommand ?? [])
    .join('\n')
    .replace("temporary='/tmp /var/tmp'", `temporary=${temporary}`)
    .replace('logs=/var/log', `logs=${logs}`);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'deviceportal-clean-'));
  temporary = join(root, 'temporary');
  logs = join(root, 'log');
  for (const path of [temporary, logs, join(root, 'bin'), join(temporary, 'deep')])
    await mkdir(path);
  // The caches and the journal of this machine must not be changed.
  for (const tool of ['apt-get', 'dnf', 'journalctl']) {
    await writeFile(join(root, 'bin', tool), '#!/bin/sh\necho "$0 $*"\n', { mode: 0o755 });
  }
  script = await readScript();
  if (!script.includes(`temporary=${temporary}\nlogs=${logs}\n`))
    throw new Error('cleans the host');
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** A file with old timestamps, as extracted from an archive: only its change time is today. */
async function oldFile(name: string, directory = temporary): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, 'x');
  await utimes(path, old, old);
  return path;
}

/** `days: 0` makes today's change time old enough; the form rejects it. */
function clean(options: { days: number; dryRun?: boolean; seconds?: number }): Promise<string> {
  const { days, dryRun = false, seconds = 600 } = options;
  return new Promise((resolve, reject) => {
    execFile(
      '/bin/sh',
      ['-c', script.replace('seconds=600', `seconds=${seconds}`)],
      {
        cwd: root,
        env: {
          PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
          SSM_days: String(days),
          SSM_dryRun: String(dryRun),
          DEVICEPORTAL_STATE: join(temporary, 'state'),
        },
      },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
  });
}

test('an extracted archive with old timestamps is not deleted on the day it was extracted', async () => {
  const file = await oldFile('unpacked');
  for (const days of [1, 365]) {
    expect(await clean({ days, dryRun: true })).toContain(`would remove 0 files below`);
    expect(await clean({ days })).toContain('removed 0 files below');
  }
  expect(existsSync(file)).toBe(true);
});

test('a file with an unusual name is deleted and forges no line of the report', async () => {
  const names = ['plain', join('deep', 'er'), '-rf', 'two\nremoved etc', "quote'$(id)", '[a]*?'];
  for (const name of names) await oldFile(name);
  const files = names.map((name) => join(temporary, name));
  const preview = await clean({ days: 0, dryRun: true });
  expect(preview).toContain(`would remove ${names.length} files below`);
  expect(files.every((file) => existsSync(file))).toBe(true);
  const report = await clean({ days: 0 });
  expect(report).toContain(`removed ${names.length} files below`);
  expect(report).not.toMatch(/^removed etc/m);
  expect(files.filter((file) => existsSync(file))).toEqual([]);
  const listed = (text: string, verb: string): string[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${verb} /`))
      .map((line) => line.slice(verb.length))
      .toSorted();
  expect(listed(report, 'removed')).toEqual(listed(preview, 'would remove'));
});

test('nothing outside the temporary directories is reached through a link', async () => {
  const outside = join(root, 'outside');
  await mkdir(outside);
  const file = await oldFile('kept', outside);
  await symlink(outside, join(temporary, 'link'));
  await symlink(file, join(temporary, 'link-to-file'));
  expect(await clean({ days: 0 })).toContain('removed 0 files below');
  expect(existsSync(file)).toBe(true);
});

test.runIf(linux)('a running program does not lose its files', async () => {
  const openFile = await oldFile('open');
  const handle = await open(openFile, 'r');
  await utimes(openFile, old, old);
  const work = join(temporary, 'work');
  const state = join(temporary, 'state');
  await mkdir(work);
  await mkdir(state);
  const kept = [openFile, await oldFile('read-later', work), await oldFile('identity', state)];
  for (const name of ['.X0-lock', '.s.PGSQL.5432.lock', 'daemon.pid'])
    kept.push(await oldFile(name));
  const gone = await oldFile('closed');
  const program = spawn('sleep', ['60'], { cwd: work });
  try {
    expect(await clean({ days: 0 })).toMatch(/removed 1 files below .*\nleft 1 old files/);
  } finally {
    program.kill();
    await handle.close();
  }
  expect(kept.filter((file) => !existsSync(file))).toEqual([]);
  expect(existsSync(gone)).toBe(false);
});

test('private directories of services, sticky files, and files with a future access time are kept', async () => {
  const service = join(temporary, 'systemd-private-1-x.service-2');
  await mkdir(service);
  const sticky = await oldFile('sticky');
  await chmod(sticky, 0o1644);
  const future = await oldFile('future');
  await utimes(future, new Date('2100-01-01'), old);
  const kept = [sticky, future, await oldFile('its', service)];
  expect(await clean({ days: 0 })).toContain('removed 0 files below');
  expect(kept.filter((file) => !existsSync(file))).toEqual([]);
});

test.runIf(asRoot)('only rotated logs are deleted, and no sign-in or audit records', async () => {
  await mkdir(join(logs, 'audit'));
  const rotated = [await oldFile('syslog.1', logs), await oldFile('app.log.2.gz', logs)];
  const kept = [
    await oldFile('syslog', logs),
    await oldFile('wtmp.1', logs),
    await oldFile('audit.log.1', join(logs, 'audit')),
  ];
  expect(await clean({ days: 0 })).toContain(`removed 2 files below`);
  expect(rotated.filter((file) => existsSync(file))).toEqual([]);
  expect(kept.filter((file) => !existsSync(file))).toEqual([]);
  expect(await clean({ days: 365 })).toContain('--vacuum-time=365d');
});

test('a full directory does not flood the report', async () => {
  for (let index = 0; index < 250; index += 1) await oldFile(`file-${index}`);
  const report = await clean({ days: 0 });
  expect(report.match(/^removed \//gm)).toHaveLength(100);
  expect(report).toContain('and 150 more files');
  expect(report).toContain('removed 250 files below');
});

test('after its time limit it deletes nothing more and reports what it did not process', async () => {
  const file = await oldFile('late');
  expect(await clean({ days: 0, seconds: 0 })).toContain('Time limit reached: nothing was removed');
  expect(existsSync(file)).toBe(true);
});
