import { afterAll, beforeAll, expect, test } from 'vitest';
import { INVOCATION_OUTPUT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  seedRun,
  until,
  type GatewayFixture,
  type TestDevice,
} from '../../support/gateway-fixture.ts';

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

/** A device that has received and started a command. */
async function begun(): Promise<{ device: TestDevice; invocationId: string }> {
  const device = await connectDevice(setup, await enrollTestDevice(setup));
  const { runId, invocationIds } = await seedRun(setup.database, { deviceIds: [device.deviceId] });
  const [invocationId = ''] = invocationIds;
  setup.changes.publish([{ kind: 'run-created', runId }]);
  await until(() => device.commands().find((command) => command['invocationId'] === invocationId));
  await device.journal({ kind: 'invocation-started', invocationId });
  return { device, invocationId };
}

async function storedOf(invocationId: string): Promise<{ characters: number; pieces: number }> {
  const [row] = await rowsOf<{ characters: number; pieces: number }>(
    setup.database,
    `select coalesce(sum(length(text)), 0)::int as characters, count(*)::int as pieces
     from invocation_output where invocation_id = $1`,
    [invocationId],
  );
  return row ?? { characters: 0, pieces: 0 };
}

const say = (device: TestDevice, invocationId: string, piece: { offset: number; text: string }) =>
  device.journal({ kind: 'invocation-output', invocationId, stream: 'stdout', ...piece });

const allTaken = (device: TestDevice) => until(() => device.ackedUpTo === device.seq, 20_000);

test('a device cannot exceed the limit by overlapping pieces', async () => {
  const { device, invocationId } = await begun();
  await using _device = device;
  const text = 'x'.repeat(65_536);
  for (let offset = 0; offset < 180; offset += 1) await say(device, invocationId, { offset, text });
  await allTaken(device);
  const { characters } = await storedOf(invocationId);
  expect(characters).toBeGreaterThan(INVOCATION_OUTPUT_LIMIT_BYTES);
  expect(characters).toBeLessThan(INVOCATION_OUTPUT_LIMIT_BYTES + 65_536);
});

test('a device cannot store pieces without text free of charge', async () => {
  const { device, invocationId } = await begun();
  await using _device = device;
  await setup.database.pool.query('update invocation set output_stored = $2 where id = $1', [
    invocationId,
    INVOCATION_OUTPUT_LIMIT_BYTES,
  ]);
  for (let offset = 0; offset < 50; offset += 1) {
    await say(device, invocationId, { offset, text: '' });
  }
  await allTaken(device);
  expect((await storedOf(invocationId)).pieces).toBeLessThan(20);
});

test('one piece with a high offset does not use up the limit', async () => {
  const { device, invocationId } = await begun();
  await using _device = device;
  const offsets = [INVOCATION_OUTPUT_LIMIT_BYTES, Number.MAX_SAFE_INTEGER, 0];
  for (const offset of offsets) await say(device, invocationId, { offset, text: 'hello' });
  await allTaken(device);
  const stored = await rowsOf<{ offset: string }>(
    setup.database,
    'select "offset" from invocation_output where invocation_id = $1 order by 1',
    [invocationId],
  );
  expect(stored.map(({ offset }) => Number(offset))).toEqual([0, INVOCATION_OUTPUT_LIMIT_BYTES]);
});
