import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClaim } from '../../src/devices/claims/create-claim.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import type { DevicesDependencies } from '../../src/devices/devices-dependencies.ts';
import { enrollDevice } from '../../src/devices/enrollment/enroll-device.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { callerOf, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let deps: DevicesDependencies;

beforeAll(async () => {
  db = await createTestDatabase();
  deps = {
    database: db.database,
    changes: createLocalChangeFeed(() => {}),
    clock: () => new Date(),
    installCommand: async (token: string) => `install --claim ${token}`,
  };
  const device = (serialNumber: string, country: string) => ({
    serialNumber,
    name: serialNumber,
    model: 'kiosk',
    country,
    labels: { site: 'a' },
  });
  await createDevices(deps, {
    people: [],
    devices: [device('POLE0001', 'PL'), device('GERM0001', 'DE')],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const enrollWith = (claimToken: string, serialNumber: string) =>
  enrollDevice(
    deps,
    {
      claimToken,
      serialNumber,
      certificateRequest: '',
      model: 'kiosk',
      hostName: 'host',
      platformType: 'Linux',
      platformName: 'Ubuntu',
      platformVersion: '24.04',
      architecture: 'x64',
      agentVersion: '1.0.0',
    },
    {
      address: '192.0.2.7',
      readKeyFingerprint: async () => 'SHA256:of-this-machine',
      issueCertificate: async (deviceId) => ({
        fingerprint: `of ${deviceId}`,
        startsAt: new Date('2029-10-03T00:00:00Z'),
        endsAt: new Date('2030-01-01T00:00:00Z'),
      }),
    },
  );

test('[claim-scope-1] a claim of somebody who is limited takes over no device outside their scope', async () => {
  const polish = callerOf(limitedTo({ countries: ['PL'] }, ['devices:read', 'devices:manage']));
  const claim = await createClaim(deps, polish, {
    model: null,
    ownerId: null,
    country: 'PL',
    labels: {},
    uses: 5,
    lifetimeHours: 1,
    device: null,
  });
  await expect(enrollWith(claim.token, 'GERM0001')).rejects.toMatchObject({ code: 1000 });
  const { rows } = await db.database.pool.query(
    "select lifecycle, (select count(*)::int from device_instance n where n.device_id = d.id) as instances from device d where serial_number = 'GERM0001'",
  );
  expect(rows).toEqual([{ lifecycle: 'pending', instances: 0 }]);
  await expect(enrollWith(claim.token, 'POLE0001')).resolves.toMatchObject({ created: false });
  await expect(enrollWith(claim.token, 'BRAND-NEW')).resolves.toMatchObject({ created: true });
});
