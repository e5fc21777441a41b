import { afterAll, beforeAll, expect, test } from 'vitest';
import { upChannels } from '@deviceportal/device-protocol/topics';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

const NAMES = [
  ...['instanceId', 'connectionId', 'agentVersion', 'state', 'epoch', 'entries', 'at', 'failing'],
  ...['request', 'reason', 'oldest', 'runKeys', 'keyRings'],
];

test('a device with a length that cannot be compared with a number is rejected and stops nothing', async () => {
  const [hostile, honest] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
  await using attacker = await connectDevice(setup, hostile);
  await using other = await connectDevice(setup, honest);
  const odd = { length: { toString: 1, valueOf: 2 } };
  const message = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, odd])));
  for (const channel of upChannels) await attacker.say(channel, message);
  await other.journal({ kind: 'event', type: 'tick', data: {} });
  await until(() => other.ackedUpTo === 1);
  const refusals = await until(async () => {
    const found = await rowsOf<{ data: unknown }>(
      setup.database,
      "select data from audit_event where device_id = $1 and type = 'device.refused'",
      [hostile.deviceId],
    );
    return found.length > 0 && found;
  }, 30_000);
  expect(JSON.stringify(refusals)).toContain('broken-payload');
});
