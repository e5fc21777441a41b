import { expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { openCertificateAuthority } from '../../../src/gateway/certificates/certificate-authority.ts';
import { openEmbeddedBroker } from '../../../src/gateway/embedded-transport.ts';
import { connectDevice, createRequest, quietLogger, until } from '../../support/gateway-fixture.ts';
import { createMemorySecrets } from '../../support/secrets/memory-secrets.ts';

test('a device suspended while it connects does not stay connected silently', async () => {
  const authority = await openCertificateAuthority({ store: createMemorySecrets(), hosts: [] });
  await using broker = await openEmbeddedBroker({
    logger: quietLogger,
    devices: { host: '127.0.0.1', port: 0, authority },
  });
  const [deviceId, instanceId] = [newId(), newInstanceId()];
  const { key, request } = await createRequest();
  const { certificate } = await authority.sign(request, { deviceId, instanceId: null });
  let isActive = false;
  let asked = 0;
  await broker.devices.start({
    admit: async (requests) => {
      asked += 1;
      // It was active when it was checked, and was suspended before the result arrived.
      if (!isActive) broker.devices.disconnect([deviceId]);
      return requests.map(() => true);
    },
    up: async () => {},
    refused: () => {},
    overflowed: () => {},
    reset: () => {},
  });
  const device = { deviceId, instanceId, key, certificate };
  const connected = () => connectDevice({ broker, authority }, device, { birth: false });
  await connected().then(
    async (silent) => {
      await until(() => !silent.client.connected);
      await silent[Symbol.asyncDispose]();
    },
    () => {},
  );
  expect(asked).toBe(1);
  await until(async () => (await broker.countConnections()) === 0);
  isActive = true;
  await using back = await connected();
  expect(back.client.connected).toBe(true);
  expect(await broker.countConnections()).toBe(1);
});
