import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { findArtifacts, insertArtifact } from '../../src/commands/data/artifact-queries.ts';
import { createArtifactStore } from '../../src/commands/artifacts/artifact-store.ts';
import { deleteEndedArtifacts } from '../../src/commands/artifacts/delete-ended-artifacts.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

test('[artifact-end-1] collected files go with the output of their invocation, row and content', async () => {
  await using db = await createTestDatabase();
  const { orm } = db.database;
  const directory = await mkdtemp(join(tmpdir(), 'artifacts-'));
  const store = createArtifactStore(createDirectoryFiles(directory, 'spread'));
  const fixture = await createCommandFixture(db.database);
  const deviceIds = await seedDevices(db.database, [{}, {}]);
  await runCommand(
    fixture.deps,
    viewerWith('Operator'),
    runInput({ command: 'logs/collect', target: { kind: 'devices', deviceIds } }),
  );
  const { rows } = await orm.execute<{ id: string }>(sql`select id from invocation order by id`);
  const [old = '', recent = ''] = rows.map(({ id }) => id);
  await orm.execute(sql`update invocation set ended_at = '2026-01-01T00:00:00Z' where id = ${old}`);
  await orm.execute(
    sql`update invocation set ended_at = '2026-11-01T00:00:00Z' where id = ${recent}`,
  );
  const keys: string[] = [];
  for (const invocationId of [old, recent]) {
    const content = await store.put(Readable.from([Buffer.from('log')]));
    keys.push(content.storageKey);
    const row = { id: newId(), invocationId, deviceId: newId(), name: 'log.txt', ...content };
    await inTransaction(db.database, (tx) => insertArtifact(tx, row));
  }
  const deps = { database: db.database, store };
  expect(await deleteEndedArtifacts(deps, new Date('2026-06-01T00:00:00Z'))).toBe(1);
  expect(await findArtifacts(orm, old)).toEqual([]);
  expect(await store.open(keys[0] ?? '')).toBeUndefined();
  expect(await findArtifacts(orm, recent)).toHaveLength(1);
  const kept = await store.open(keys[1] ?? '');
  expect(kept).toBeDefined();
  kept?.content.destroy();
  expect(await deleteEndedArtifacts(deps, new Date('2026-06-01T00:00:00Z'))).toBe(0);
  await rm(directory, { recursive: true });
});
