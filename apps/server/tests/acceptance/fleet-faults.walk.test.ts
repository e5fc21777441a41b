import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultKind } from '../../../agent/src/fleet/describe-fleet.ts';
import type { SimulatedDevice } from '../../../agent/src/fleet/simulated-device.ts';
import { enrollByClaim, startFleet, type Fleet } from '../../../agent/src/fleet/start-fleet.ts';
import { silentLogger } from '../../../agent/src/logger.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { AcceptanceFixture, dataOf } from './acceptance-fixture.ts';

const START_LIMIT_MS = 60_000;
const LIMIT_MS = 30_000;
const SIZE = 12;
const resources = new AsyncDisposableStack();
let setup: AcceptanceFixture;
let fleet: Fleet;

beforeAll(async () => {
  const portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  const admin = await PortalPerson.signIn(portal.url);
  setup = new AcceptanceFixture(admin);
  const claim = await admin.order('devices.createClaim', { uses: SIZE });
  fleet = resources.use(
    await startFleet({
      size: SIZE,
      stateDirectory: join(portal.dataDir, 'fleet'),
      serverUrl: portal.url,
      enroll: enrollByClaim(portal.url, dataOf<{ token: string }>(claim).token),
      rhythm: false,
      faults: false,
      timeScale: 20,
      log: silentLogger,
    }),
  );
  await fleet.ready;
}, START_LIMIT_MS);
afterAll(() => resources.disposeAsync(), START_LIMIT_MS);

function deviceAt(index: number): SimulatedDevice {
  const device = fleet.devices.get(index);
  if (!device) throw new Error(`there is no device ${index}`);
  return device;
}

const application = (device: SimulatedDevice): string => device.plan.software[0]?.component ?? '';

interface Case {
  readonly index: number;
  readonly fault: FaultKind;
  readonly part: string;
  readonly look: string;
  readonly sign: RegExp;
  readonly remedy: string;
  /** Derived from the output of the diagnosis. */
  readonly parameters: (found: string, device: SimulatedDevice) => Record<string, unknown>;
}

const cases: readonly Case[] = [
  {
    index: 0,
    fault: 'disk',
    part: 'disk',
    look: 'storage/usage',
    sign: /9\d% \//,
    remedy: 'storage/clean',
    parameters: () => ({}),
  },
  {
    index: 1,
    fault: 'network',
    part: 'network',
    look: 'network/diagnose',
    sign: /!! \d+ % of packets are lost/,
    remedy: 'restart/service',
    parameters: () => ({ service: 'networking' }),
  },
  {
    index: 2,
    fault: 'crash',
    part: 'service',
    look: 'logs/tail',
    sign: /segmentation fault/,
    remedy: 'restart/service',
    parameters: (found) => ({ service: /systemd\[1\]: (\S+)\.service: Main/.exec(found)?.[1] }),
  },
  {
    index: 3,
    fault: 'clock',
    part: 'clock',
    look: 'network/diagnose',
    sign: /!! the clock is not synchronized: \d+ min/,
    remedy: 'restart/service',
    parameters: () => ({ service: 'chronyd' }),
  },
  {
    index: 4,
    fault: 'memory',
    part: 'memory',
    look: 'process/top',
    sign: /-helper/,
    remedy: 'process/kill',
    parameters: (found) => ({ pid: Number(/^ *(\d+) .*-helper/m.exec(found)?.[1]) }),
  },
  {
    index: 5,
    fault: 'version',
    part: 'service',
    look: 'logs/tail',
    sign: /settings need version \S+ or newer/,
    remedy: 'software/install',
    parameters: (found, device) => ({
      component: application(device),
      version: /settings need version (\S+)/.exec(found)?.[1],
    }),
  },
];

describe('faults of the simulated fleet', () => {
  test.each(cases)(
    'shows $fault as degraded, detects it with $look, fixes it with $remedy, and shows a healthy device',
    async (item) => {
      const device = deviceAt(item.index);
      const { deviceId } = device;
      await setup.untilDevice(deviceId, ({ connectivity }) => connectivity === 'online');
      device.breakDown(item.fault);
      const broken = await setup.untilDevice(
        deviceId,
        ({ connectivity }) => connectivity === 'degraded',
      );
      expect(broken.failing.map(({ part }) => part)).toEqual([item.part]);
      const looked = await setup.run({ deviceId, command: item.look });
      expect(looked.stdout.text).toMatch(item.sign);
      const parameters = item.parameters(looked.stdout.text, device);
      const remedy = await setup.run({ deviceId, command: item.remedy, parameters });
      expect(remedy).toMatchObject({ state: 'Success', responseCode: 0 });
      const mended = await setup.untilDevice(
        deviceId,
        ({ connectivity }) => connectivity === 'online',
      );
      expect(mended.verdicts.map(({ code }) => code)).toEqual(['healthy']);
    },
    LIMIT_MS,
  );

  test(
    'raises the version of a device with software/install and restores it with software/rollback',
    async () => {
      const device = deviceAt(6);
      const { deviceId } = device;
      const component = application(device);
      const versionIs = (version: string | undefined) =>
        setup.untilDevice(deviceId, ({ software }) =>
          software.some((item) => item.component === component && item.version === version),
        );
      const before = device.plan.software[0]?.version;
      await versionIs(before);
      const parameters = { component, version: '99.1.0' };
      await setup.run({ deviceId, command: 'software/install', parameters });
      await versionIs('99.1.0');
      await setup.run({ deviceId, command: 'software/rollback', parameters: { component } });
      await versionIs(before);
    },
    LIMIT_MS,
  );

  test(
    'takes a device offline with restart/device, and ends when it is back online',
    async () => {
      const { deviceId } = deviceAt(7);
      const id = await setup.send({ deviceId, command: 'restart/device' });
      const away = await setup.untilDevice(
        deviceId,
        ({ connectivity }) => connectivity === 'offline',
      );
      expect(away.disconnectReason).toBe('shutdown');
      const ended = await setup.untilInvocation(id, ({ endedAt }) => endedAt !== null);
      expect(ended).toMatchObject({ state: 'Success', responseCode: 0 });
      expect(ended.stdout.text).toBe('restarting …\nthe device has restarted\n');
      await setup.untilDevice(
        deviceId,
        ({ connectivity, uptimeSeconds }) =>
          connectivity === 'online' && (uptimeSeconds ?? 0) < 120,
      );
    },
    LIMIT_MS,
  );

  test(
    'cancels a running command on a simulated device',
    async () => {
      const { deviceId } = deviceAt(8);
      const script = 'echo begun\nsleep 3600\necho never';
      const id = await setup.send({ deviceId, command: 'shell', parameters: { script } });
      await setup.untilInvocation(id, ({ stdout }) => stdout.text.includes('begun'));
      await setup.cancel(id);
      const ended = await setup.untilInvocation(id, ({ endedAt }) => endedAt !== null);
      expect(ended).toMatchObject({ state: 'Cancelled' });
      expect(ended.stdout.text).toBe('begun\n');
    },
    LIMIT_MS,
  );
});
