import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiskReserve } from './disk-reserve.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'reserve-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const held = async () => (await stat(join(directory, 'reserve')).catch(() => null))?.size ?? 0;
const sizes = { bytes: 4_096, plentyBytes: 0 };

/** Work that fails with a full disk while the reserve exists. */
const workOnFullDisk = async (): Promise<void> => {
  if ((await held()) > 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
};

describe('the reserve for a full disk', () => {
  test('is created with the first work, and released when the disk is full', async () => {
    const reserve = new DiskReserve(directory, sizes);
    await reserve.guard(async () => {});
    expect(await held()).toBe(4_096);
    await reserve.guard(workOnFullDisk);
    expect(await held()).toBe(0);
  });

  test('passes on other errors, and the error of a full disk without a reserve', async () => {
    const reserve = new DiskReserve(directory, sizes);
    const full = async () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    await expect(reserve.guard(full)).rejects.toThrow('no space left');
    await reserve.guard(async () => {});
    await expect(reserve.guard(() => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await held()).toBe(4_096);
  });

  test('is not created on a disk with little space', async () => {
    const reserve = new DiskReserve(directory, {
      bytes: 4_096,
      plentyBytes: Number.MAX_SAFE_INTEGER,
    });
    await reserve.guard(async () => {});
    expect(await held()).toBe(0);
  });
});
