import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listChangeLocks } from '../../src/commands/locks/list-change-locks.ts';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import { previewRerun, rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { findQueuedBehindOf } from '../../src/commands/locks/queued-behind.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  type CommandFixture,
  createCommandFixture,
  may,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const ana = { ...viewerWith('Operator'), username: 'ana@example.com' };
const ben = { ...viewerWith('Operator'), username: 'ben@example.com' };

let db: TestDatabase;
let fixture: CommandFixture;
let deviceId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(async () => {
  [deviceId = ''] = await seedDevices(db.database, [{}]);
});

const send = (viewer: Viewer, command: string, whenLocked: 'ask' | 'queue' = 'ask') =>
  runCommand(fixture.deps, viewer, {
    ...runInput({ command, target: { kind: 'devices', deviceIds: [deviceId] } }),
    idempotencyKey: randomUUID(),
    whenLocked,
  });
const busy = { code: 2004, issues: [{ path: ['whenLocked'] }] };

describe('a device with a change lock of another user', () => {
  test('asks one of two users who change it at the same time', async () => {
    const answers = await Promise.allSettled([
      send(ana, 'restart/agent'),
      send(ben, 'restart/agent'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = answers.find((answer) => answer.status === 'rejected');
    expect(refused?.reason).toMatchObject(busy);
  });

  test('can be queued for by others, never blocks reading, and does not block its lock holder', async () => {
    await send(ana, 'restart/agent');
    await expect(send(ben, 'restart/agent')).rejects.toMatchObject(busy);
    await send(ben, 'logs/tail');
    await send(ana, 'restart/agent');
    await send(ben, 'restart/agent', 'queue');
  });

  test('shows the lock holder, masked without permission to see people', async () => {
    const run = await send(ana, 'restart/agent');
    const [lock] = await listChangeLocks(fixture.deps, ben, { deviceId });
    expect(lock).toMatchObject({
      runId: run.id,
      command: 'restart/agent',
      holder: 'ana@example.com',
      own: false,
    });
    const faceless = viewerHolding([may(['devices:read', 'commands:read'])]);
    const [masked] = await listChangeLocks(fixture.deps, faceless, { deviceId });
    expect(masked?.holder).toBe('a•••');
  });

  test('is released when the step has ended, or after a quarter of an hour without news', async () => {
    const first = await send(ana, 'restart/agent');
    await db.database.orm.execute(sql`
      update invocation set ended_at = now(), state = 'Success' where run_id = ${first.id}`);
    await send(ben, 'restart/agent');
    await expect(send(ana, 'restart/agent')).rejects.toMatchObject(busy);
    await db.database.orm.execute(sql`
      update invocation set queued_at = now() - interval '16 minutes', sent_at = null
      where device_id = ${deviceId}`);
    await send(ana, 'restart/agent');
  });

  test('is excluded from a target of many devices, with the run and its sender', async () => {
    const run = await send(ana, 'restart/agent');
    const [free = ''] = await seedDevices(db.database, [{}]);
    const target = { kind: 'devices' as const, deviceIds: [deviceId, free] };
    const question = { command: 'restart/agent', document: '', target };
    const asked = await previewTarget(fixture.deps, ben, { ...question, whenLocked: 'ask' });
    expect(asked).toMatchObject({
      count: 1,
      excluded: [{ reason: 'busy', count: 1 }],
      busy: [{ runId: run.id, holder: 'ana@example.com', count: 1 }],
    });
    const queued = await previewTarget(fixture.deps, ben, { ...question, whenLocked: 'queue' });
    expect(queued).toMatchObject({ count: 2, excluded: [], busy: [] });
  });

  test('applies to undo and rerun, which ask first or are queued as requested', async () => {
    const mine = await send(ben, 'restart/agent');
    await db.database.orm.execute(sql`
      update invocation set ended_at = now(), state = 'Success' where run_id = ${mine.id}`);
    const theirs = await send(ana, 'restart/agent');
    const again = (whenLocked: 'ask' | 'queue') =>
      rerunCommand(fixture.deps, ben, {
        ...{ runId: mine.id, onlyFailed: false, answer: null, agreement: nothingShown },
        ...{ confirmation: '', idempotencyKey: randomUUID(), whenLocked, origin },
      });
    await expect(again('ask')).rejects.toMatchObject(busy);
    const rerun = { runId: mine.id, onlyFailed: false, answer: null };
    const shown = await previewRerun(fixture.deps, ben, { ...rerun, whenLocked: 'ask' });
    expect(shown).toMatchObject({ count: 0, busy: [{ runId: theirs.id, count: 1 }] });
    expect((await again('queue')).command).toBe('restart/agent');
  });

  test('shows what a queued command is queued behind, until it runs; the first is not queued', async () => {
    const first = await send(ana, 'restart/agent');
    const second = await send(ben, 'restart/agent', 'queue');
    const waits = (viewer: Viewer, where: string | null = null) =>
      findQueuedBehindOf(fixture.deps, viewer, { runIds: [first.id, second.id], deviceId: where });
    const behind = async (viewer: Viewer, run: { readonly id: string }) =>
      (await waits(viewer)).find(({ runId }) => runId === run.id)?.behind ?? [];
    const there = {
      runId: first.id,
      command: 'restart/agent',
      holder: 'ana@example.com',
      count: 1,
    };
    expect(await waits(ben)).toEqual([{ runId: second.id, behind: [there] }]);
    expect(await waits(ben, deviceId)).toEqual([{ runId: second.id, behind: [there] }]);
    expect(await waits(ben, randomUUID())).toEqual([]);
    const faceless = viewerHolding([may(['devices:read', 'commands:read'])]);
    expect((await behind(faceless, second))[0]?.holder).toBe('a•••');
    await db.database.orm.execute(sql`
      update invocation set ended_at = now(), state = 'Success' where run_id = ${first.id}`);
    expect(await behind(ben, second)).toEqual([]);
  });
});
