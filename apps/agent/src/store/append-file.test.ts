import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAppendFile } from './append-file.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'append-'));
  path = join(directory, 'log');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('append-only file', () => {
  test('flushed records are there after reopening', async () => {
    const { file } = await openAppendFile({ path, sync: true });
    file.append('one');
    const first = file.flush();
    file.append('two');
    await Promise.all([first, file.flush()]);
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
    await file[Symbol.asyncDispose]();
    expect((await openAppendFile({ path, sync: true })).lines).toEqual(['one', 'two']);
  });

  test('removes an incomplete last line', async () => {
    const opened = await openAppendFile({ path, sync: false });
    opened.file.append('whole');
    await opened.file[Symbol.asyncDispose]();
    await appendFile(path, '{"torn":');
    const again = await openAppendFile({ path, sync: false });
    expect(again.lines).toEqual(['whole']);
    again.file.append('next');
    await again.file[Symbol.asyncDispose]();
    expect(await readFile(path, 'utf8')).toBe('whole\nnext\n');
  });

  test('keeps records appended during a rewrite', async () => {
    const { file } = await openAppendFile({ path, sync: false });
    for (let index = 0; index < 100; index += 1) file.append(`old ${index}`);
    await file.flush();
    const rewritten = file.rewrite(() => ['snapshot']);
    await Promise.resolve();
    await Promise.resolve();
    file.append('after');
    await rewritten;
    await file.flush();
    await file[Symbol.asyncDispose]();
    expect(await readFile(path, 'utf8')).toBe('snapshot\nafter\n');
  });
});
