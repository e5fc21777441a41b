import { randomUUID } from 'node:crypto';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StatusIngest } from '../../src/gateway/ingest-status.ts';
import {
  openGatewayFixture,
  rowsOf,
  seedDevices,
  type GatewayFixture,
} from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';
import { testConnection } from '../support/brokers/test-connection.ts';

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(() => setup[Symbol.asyncDispose]());

const makeDevice = (name: string) => ({
  deviceId: newId(),
  instanceId: newInstanceId(),
  name,
});

test('a device that names the instance of another cannot change which keys that one trusts, even in the same batch', async () => {
  const [victim, attacker] = [makeDevice('victim'), makeDevice('attacker')];
  await seedDevices(setup.database, [victim, attacker]);
  const refused: unknown[] = [];
  const recorders = {
    refusals: { record: (refusal: unknown) => void refused.push(refusal) },
    overflow: { note() {} },
  };
  const { authority, broker, changes, database } = setup;
  const deps = {
    ...{ authority, changes, database, transport: broker.devices, deviceKeys: testDeviceKeys() },
    connection: testConnection(),
    ...{ clock: () => new Date(), logger: { info() {}, warn() {}, error() {} } },
  };
  await using status = new StatusIngest(deps, recorders, () => {});
  const say = ({ deviceId }: typeof victim, over: Partial<StatusMessage>) => {
    const birth = { state: 'online', connectionId: randomUUID(), agentVersion: '1.0.0' };
    const payload = JSON.stringify({ ...birth, reason: null, ...over });
    return status.take({ deviceId, payload: Buffer.from(payload) });
  };
  const keys = ['a key'];
  const { instanceId } = victim;
  // At the same time, and thus in one batch.
  await Promise.all([
    say(attacker, { instanceId, runKeys: ['a key of the attacker'] }),
    say(victim, { instanceId, runKeys: keys, releaseKeys: keys }),
    say(attacker, { instanceId, runKeys: ['a key of the attacker'] }),
  ]);
  const said = await rowsOf(
    database,
    `select run_key_ids as runs, release_key_ids as releases from device_instance where id = $1`,
    [instanceId],
  );
  expect(said).toEqual([{ runs: keys, releases: keys }]);
  const shown = await rowsOf(
    database,
    `select connectivity, instance_id as instance from device_status where device_id = $1`,
    [attacker.deviceId],
  );
  expect(shown).toEqual([{ connectivity: 'never', instance: attacker.instanceId }]);
  expect(refused).toMatchObject([{ deviceId: attacker.deviceId }, { deviceId: attacker.deviceId }]);
});
