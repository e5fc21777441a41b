import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  COLLECTED_FILES_PER_DAY,
  COLLECTED_FILES_PER_INVOCATION,
  UPLOADS_AT_ONCE,
} from '@deviceportal/contract/device-limits';
import {
  createArtifactStore,
  type ArtifactStore,
} from '../../../src/commands/artifacts/artifact-store.ts';
import { storeArtifact } from '../../../src/commands/artifacts/store-artifact.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { UploadSlots } from '../../../src/commands/artifacts/upload-slots.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { until } from '../../support/gateway-fixture.ts';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';

let test: TestDatabase;
let fixture: CommandFixture;
let directory: string;
let store: ArtifactStore;
let slots: UploadSlots;
let deviceId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  directory = await mkdtemp(join(tmpdir(), 'files-'));
  store = createArtifactStore(createDirectoryFiles(directory, 'spread'));
});
beforeEach(async () => {
  slots = new UploadSlots();
  [deviceId = ''] = await seedDevices(test.database, [{}]);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function invocationOf(device: string): Promise<string> {
  const run = await runCommand(
    fixture.deps,
    viewerWith('Operator'),
    runInput({ command: 'logs/collect', target: { kind: 'devices', deviceIds: [device] } }),
  );
  return run.invocationId ?? '';
}

const leave = (
  invocationId: string,
  name = 'logs.gz',
  content = Readable.from([Buffer.from('log')]),
) => storeArtifact({ database: test.database, store, slots }, content, { invocationId, name });

/** Files of given size that the device stored earlier. */
const leftBefore = (
  invocationId: string,
  facts: { files: number; bytes: number; hoursAgo?: number },
) =>
  test.database.pool.query(
    `insert into invocation_artifact (id, invocation_id, device_id, name, bytes, sha256, storage_key, created_at)
     select gen_random_uuid(), $1, $2, 'before-' || n || '-' || gen_random_uuid(), $4, '', '', now() - make_interval(hours => $5)
     from generate_series(1, $3) n`,
    [invocationId, deviceId, facts.files, facts.bytes, facts.hoursAgo ?? 1],
  );

const filesOnDisk = async (): Promise<number> =>
  (await readdir(directory, { recursive: true })).filter((name) => name.includes('/')).length;

it('a device cannot store more files in a day than its quota, across all runs', async () => {
  const other = await invocationOf(deviceId);
  await leftBefore(other, { files: COLLECTED_FILES_PER_DAY.files - 1, bytes: 1 });
  const invocationId = await invocationOf(deviceId);
  await leave(invocationId, 'last.gz');
  const before = await filesOnDisk();
  await expect(leave(invocationId, 'more.gz')).rejects.toMatchObject({
    code: 2004,
    reason: 'file-quota-reached',
    facts: { most: COLLECTED_FILES_PER_DAY.files, unit: 'files in 24 hours' },
  });
  expect(await filesOnDisk()).toBe(before);
});

it('a device cannot store more bytes in a day, and older files do not count', async () => {
  const other = await invocationOf(deviceId);
  await leftBefore(other, { files: 1, bytes: COLLECTED_FILES_PER_DAY.bytes, hoursAgo: 25 });
  const invocationId = await invocationOf(deviceId);
  await leave(invocationId);
  await leftBefore(other, { files: 1, bytes: COLLECTED_FILES_PER_DAY.bytes - 4 });
  await expect(leave(invocationId, 'more.gz')).rejects.toMatchObject({ code: 2004 });
});

it('one run cannot store more bytes than its share, to the byte', async () => {
  const invocationId = await invocationOf(deviceId);
  await leftBefore(invocationId, { files: 1, bytes: COLLECTED_FILES_PER_INVOCATION.bytes - 3 });
  await leave(invocationId);
  await expect(leave(invocationId, 'more.gz')).rejects.toMatchObject({ code: 2004 });
  // A repeated upload after a lost response needs no room.
  await leave(invocationId);
});

it('concurrent uploads of several runs cannot exceed the quota of their device', async () => {
  const runs = await Promise.all(Array.from({ length: 10 }, () => invocationOf(deviceId)));
  await leftBefore(runs[0] ?? '', { files: COLLECTED_FILES_PER_DAY.files - 3, bytes: 0 });
  const before = await filesOnDisk();
  const outcomes = await Promise.allSettled(
    runs.slice(1).map((invocationId) => leave(invocationId)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect((await filesOnDisk()) - before).toBe(3);
});

it('a device with slow uploads occupies only a few slots, and others are served', async () => {
  const invocationId = await invocationOf(deviceId);
  const before = await filesOnDisk();
  const slow = Array.from({ length: UPLOADS_AT_ONCE.perDevice * 3 }, () => new PassThrough());
  const uploads = slow.map((content, index) => {
    content.write('a');
    return leave(invocationId, `slow-${index}`, content);
  });
  await until(async () => (await filesOnDisk()) - before === UPLOADS_AT_ONCE.perDevice);
  const [other = ''] = await seedDevices(test.database, [{}]);
  await leave(await invocationOf(other));
  expect((await filesOnDisk()) - before).toBe(UPLOADS_AT_ONCE.perDevice + 1);
  for (const content of slow) content.end();
  await Promise.all(uploads);
});
