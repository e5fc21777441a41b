import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentEngine } from '../../src/commands/execution/agent-engine.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import type { DownMessage } from '../../src/gateway/device-transport.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const DEVICES = 600;
/** Longer than a turn of the event loop may take. */
const BUSY_MS = 15;

let db: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

function stayBusy(): void {
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
}

test('a command to many devices is sent in batches, between which other work continues', async () => {
  const deviceIds = await seedDevices(
    db.database,
    Array.from({ length: DEVICES }, () => ({})),
  );
  const { id: runId } = await runCommand(
    fixture.deps,
    viewerWith('Administrator'),
    runInput({ command: 'storage/usage', target: { kind: 'devices', deviceIds } }),
  );
  let isSending = true;
  let turns = 0;
  const batches: { readonly messages: readonly DownMessage[]; readonly turns: number }[] = [];
  const engine = createAgentEngine({
    ...fixture.deps,
    artefactUploadUrl: () => null,
    transport: {
      publish(messages) {
        batches.push({ messages, turns });
        stayBusy();
      },
    },
  });
  const now = new Date();
  const sending = engine.send(
    runId,
    deviceIds.map((deviceId) => ({
      ...{ id: deviceId, deviceId, attempt: 1 },
      ...{ deliverBefore: now, expiresAt: now },
    })),
  );
  void sending.finally(() => (isSending = false));
  for (; isSending; turns += 1) await nextTurn();

  expect(batches.map(({ messages }) => messages.length)).toEqual([250, 250, 100]);
  expect(batches.flatMap(({ messages }) => messages.map(({ deviceId }) => deviceId))).toEqual(
    deviceIds,
  );
  const [first, second, third] = batches.map((batch) => batch.turns);
  expect(second).toBeGreaterThan(first ?? Infinity);
  expect(third).toBeGreaterThan(second ?? Infinity);
});
