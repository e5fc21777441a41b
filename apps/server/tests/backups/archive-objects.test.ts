import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { openChain, timeKey, timeOfKey } from '../../src/platform/backup/archive/archive-places.ts';
import { pruneChains } from '../../src/platform/backup/archive/prune-chains.ts';
import {
  putSealed,
  readSealed,
  type ArchiveSeal,
} from '../../src/platform/backup/archive/sealed-object.ts';
import { nextSegment } from '../../src/platform/backup/archive/wal-names.ts';
import { directoryPlace } from '../../src/platform/files/open-file-place.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';

let folder: string;
let seal: ArchiveSeal;
let identity: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-archive-'));
  const { text, recipient } = await makeIdentity(new Date());
  identity = /AGE-SECRET-KEY\S+/.exec(text)?.[0] ?? '';
  const secrets = await openInstallationSecrets(createFileSecrets(join(folder, 'data')));
  seal = { recipients: [recipient], sign: secrets.signingKeys('audit').current };
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const place = () => directoryPlace(join(folder, 'backups'), 'DEVICEPORTAL_BACKUP_LOCATION');
const read = (text: string) => async () => Readable.from([Buffer.from(text)]);
const chain = () => openChain(place(), 'chain-1');
const segment = (number: number): string =>
  `0000000100000000000000${number.toString(16).toUpperCase().padStart(2, '0')}`;

test('an object is encrypted, and is read with its signature', async () => {
  const object = chain().log(segment(1));
  await putSealed(object, read('some changes'), seal);
  const stored = await readFile(object.store.pathOf?.(object.key) ?? '');
  expect(stored.toString('latin1', 0, 21)).toBe('age-encryption.org/v1');
  expect(stored.toString('latin1')).not.toContain('some changes');
  const found = await readSealed(object, [identity]);
  expect(found?.content.toString()).toBe('some changes');
  expect(found?.signature.keyId).toBe(seal.sign.keyId);
});

test('an object in the place of another one is recognized', async () => {
  const [one, other] = [chain().log(segment(1)), chain().log(segment(2))];
  await putSealed(one, read('one'), seal);
  await writeFile(
    other.store.pathOf?.(other.key) ?? '',
    await readFile(one.store.pathOf?.(one.key) ?? ''),
  );
  await expect(readSealed(other, [identity])).rejects.toThrow('is another object');
});

test('a truncated object is recognized, and a missing one is none', async () => {
  const object = chain().log(segment(1));
  expect(await readSealed(object, [identity])).toBe(undefined);
  await putSealed(object, read('x'.repeat(300_000)), seal);
  const path = object.store.pathOf?.(object.key) ?? '';
  await writeFile(path, (await readFile(path)).subarray(0, -20));
  await expect(readSealed(object, [identity])).rejects.toThrow('is truncated or damaged');
});

test('segments follow each other over the limit of four gigabytes', () => {
  expect(nextSegment('000000010000000000000009')).toBe('00000001000000000000000A');
  expect(nextSegment('0000000100000000000000FF')).toBe('000000010000000100000000');
  expect(nextSegment('00000002000000FF000000FF')).toBe('000000020000010000000000');
});

test('the time of a key is read as it was written', () => {
  const at = new Date('2030-01-02T03:04:05.000Z');
  expect(timeKey(at)).toBe('20300102T030405Z');
  expect(timeOfKey(`${timeKey(at)}.manifest`)).toEqual(at);
});

test('what no restore needs anymore is deleted, and interrupted copies', async () => {
  const { copies, log, id } = chain();
  for (const day of [1, 2, 3]) {
    const copy = `2030010${day}T000000Z`;
    await putSealed(copies(`${copy}.cluster`), read('cluster'), seal);
    await putSealed(copies(`${copy}.manifest`), read('manifest'), seal);
  }
  await putSealed(copies('20300104T000000Z.cluster'), read('interrupted'), seal);
  for (const number of [1, 2, 3, 4]) await putSealed(log(segment(number)), read('log'), seal);
  const state = {
    ...{ id, cluster: '1', lastSegment: segment(4), keysDigest: null, missingSince: {} },
    copies: {
      '20300101T000000Z': segment(1),
      '20300102T000000Z': segment(2),
      '20300103T000000Z': segment(3),
    },
  };
  // In the evening of the second day, the copy of the first day is no longer needed.
  const kept = await pruneChains(place(), state, new Date('2030-01-02T20:00:00Z'));
  expect(kept).toEqual(['20300102T000000Z', '20300103T000000Z']);
  const keysIn = async (object: { readonly store: ReturnType<typeof log>['store'] }) => {
    const keys: string[] = [];
    for await (const { key } of object.store.list('')) keys.push(key);
    return keys.toSorted();
  };
  expect(await keysIn(copies('x'))).toEqual([
    ...['20300102T000000Z.cluster', '20300102T000000Z.manifest'],
    ...['20300103T000000Z.cluster', '20300103T000000Z.manifest'],
  ]);
  expect(await keysIn(log('x'))).toEqual([segment(2), segment(3), segment(4)]);
});
