import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuiltin } from '../../support/run-builtin.ts';

const RESTART = 194;
let folder = '';
let note = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-restart-'));
  note = join(folder, 'boot-before');
  await mkdir(join(folder, 'bin'));
  // Only an agent that runs as root restarts the device.
  await writeFile(join(folder, 'bin', 'id'), '#!/bin/sh\necho 0\n', { mode: 0o755 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a full disk does not cause a restart loop', async () => {
  // A limit on the size of files makes every write fail, like a full disk; the file is created.
  const before = "trap '' XFSZ; ulimit -f 0";
  const ended = await runBuiltin('restart-device', { folder, before });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('Nothing was done.');
  expect(existsSync(note)).toBe(false);
});

test('a marker file emptied by a power failure does not restart the device again', async () => {
  await writeFile(note, '');
  const ended = await runBuiltin('restart-device', { folder });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('Nothing was done.');
});

test('the device is restarted once, and the marker file of the previous start is complete', async () => {
  expect((await runBuiltin('restart-device', { folder })).code).toBe(RESTART);
  expect(await readFile(note, 'utf8')).toMatch(/^\S+\n$/);
  expect((await runBuiltin('restart-device', { folder })).code).toBe(1);
  await writeFile(note, 'another start\n');
  expect((await runBuiltin('restart-device', { folder })).code).toBe(0);
});
