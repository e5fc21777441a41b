import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentOfRun, documentPhasesSchema } from '@deviceportal/contract/document-phases';
import { ssmDocumentSchema } from '@deviceportal/contract/ssm-document';
import type { FaultKind } from '../src/fleet/describe-fleet.ts';
import type { SimulatedDevice } from '../src/fleet/simulated-device.ts';
import { startFleet, type Fleet, type FleetOptions } from '../src/fleet/start-fleet.ts';
import { EnrollmentRefused } from '../src/enroll.ts';
import { silentLogger } from '../src/logger.ts';
import {
  outputOf,
  resultOf,
  shellCommand,
  startTestGateway,
  type TestGateway,
} from './support/test-gateway.ts';

let gateway: TestGateway;
let directory: string;
let fleet: Fleet | undefined;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fleet-'));
});
afterEach(async () => {
  await fleet?.[Symbol.asyncDispose]();
  fleet = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function start(options: Partial<FleetOptions> = {}): Promise<Fleet> {
  fleet = await startFleet({
    size: 1,
    stateDirectory: directory,
    enroll: () => gateway.createIdentity(),
    rhythm: false,
    faults: false,
    timeScale: 100,
    log: silentLogger,
    ...options,
  });
  await fleet.ready;
  return fleet;
}

function first(): SimulatedDevice {
  const device = fleet?.devices.get(0);
  if (!device) throw new Error('no device');
  return device;
}

const entries = () => gateway.entries(first().deviceId);

/** The documents in the server's format. */
const builtin = join(import.meta.dirname, '../../server/src/documents/builtin');

async function run(
  document: string,
  parameters: Record<string, string> = {},
  undoes: string | null = null,
) {
  const documentName = `DevicePortal-${document}`;
  const text = await readFile(join(builtin, `${documentName}.yaml`), 'utf8');
  const beside = await readFile(join(builtin, `${documentName}.phases.yaml`), 'utf8').catch(
    () => '{}',
  );
  const phases = documentPhasesSchema.parse(parseYaml(beside));
  const written = ssmDocumentSchema.parse(parseYaml(text));
  const { content, counts } = contentOfRun(written, phases, undoes !== null);
  const invocationId = randomUUID();
  const command = shellCommand('', {
    invocationId,
    documentName,
    parameters,
    content: { ...content },
    phases: counts,
    isUndo: undoes !== null,
    undoNotesOf: undoes ?? invocationId,
  });
  gateway.send(first().deviceId, 'command', command);
  const result = await gateway.until(() => resultOf(entries(), command.invocationId));
  return { id: invocationId, result, output: outputOf(entries(), invocationId) };
}

const lastFailing = () =>
  gateway.heartbeats
    .filter((item) => item.deviceId === first().deviceId)
    .at(-1)
    ?.heartbeat.failing.map((item) => item.part);

const hasEvent = (type: string): boolean =>
  entries().some((entry) => entry.kind === 'event' && entry.type === type);

interface Case {
  readonly fault: FaultKind;
  readonly part: string;
  readonly event: string;
  readonly look: string;
  readonly sign: RegExp;
  readonly remedy: string;
  readonly parameters: (device: SimulatedDevice) => Record<string, string>;
  readonly recovered: string;
}

const service = (device: SimulatedDevice): string => device.plan.software[0]?.component ?? '';

const cases: readonly Case[] = [
  {
    fault: 'disk',
    part: 'disk',
    event: 'disk-full',
    look: 'storage-usage',
    sign: /9\d% \//,
    remedy: 'storage-clean',
    parameters: () => ({}),
    recovered: 'disk-recovered',
  },
  {
    fault: 'network',
    part: 'network',
    event: 'network-degraded',
    look: 'network-diagnose',
    sign: /[1-9]\d*% packet loss/,
    remedy: 'restart-service',
    parameters: () => ({ service: 'networking' }),
    recovered: 'network-recovered',
  },
  {
    fault: 'crash',
    part: 'service',
    event: 'service-crashed',
    look: 'logs-tail',
    sign: /segmentation fault/,
    remedy: 'restart-service',
    parameters: (device) => ({ service: service(device) }),
    recovered: 'service-recovered',
  },
  {
    fault: 'clock',
    part: 'clock',
    event: 'clock-stepped',
    look: 'network-diagnose',
    sign: /not synchronized/,
    remedy: 'restart-service',
    parameters: () => ({ service: 'chronyd' }),
    recovered: 'clock-corrected',
  },
  {
    fault: 'memory',
    part: 'memory',
    event: 'memory-low',
    look: 'process-top',
    sign: /-helper/,
    remedy: 'process-kill',
    parameters: (device) => ({ pid: String(device.health.leak?.pid) }),
    recovered: 'memory-recovered',
  },
  {
    fault: 'version',
    part: 'service',
    event: 'software-outdated',
    look: 'software-inventory',
    sign: /agent/,
    remedy: 'software-install',
    parameters: (device) => ({
      component: service(device),
      version: device.health.neededVersion ?? '',
    }),
    recovered: 'software-current',
  },
];

describe('faults of simulated devices', () => {
  test.each(cases)('$fault is reported, found by $look, and fixed by $remedy', async (item) => {
    await start();
    first().breakDown(item.fault);
    await gateway.until(() => hasEvent(item.event));
    await gateway.until(() => lastFailing()?.includes(item.part as never));
    const looked = await run(item.look);
    expect(looked.output).toMatch(item.sign);
    const remedy = await run(item.remedy, item.parameters(first()));
    expect(remedy.result).toMatchObject({ state: 'Success' });
    await gateway.until(() => hasEvent(item.recovered));
    await gateway.until(() => lastFailing()?.length === 0);
  });

  test('a fault stays fixed when the simulator starts again', async () => {
    await start();
    first().breakDown('disk');
    await run('storage-clean');
    await fleet?.[Symbol.asyncDispose]();
    await start();
    expect(first().health.diskUsedPercent).toBeLessThan(90);
  });
});

describe('life of simulated devices', () => {
  test('a restart disconnects the device and succeeds only after it reconnects', async () => {
    await start();
    const { deviceId } = first();
    const { result, output } = await run('restart-device');
    expect(result).toMatchObject({ state: 'Success', responseCode: 0 });
    expect(output).toBe('restarting …\nthe device has restarted\n');
    const mine = gateway.statuses
      .filter((item) => item.deviceId === deviceId)
      .map(({ status }) => status.state);
    expect(mine).toEqual(['online', 'offline', 'online']);
    await gateway.until(() => hasEvent('device-restarted'));
  });

  test('free scripts run in a minimal shell, and unknown commands are not found', async () => {
    await start();
    const good = shellCommand('echo "a b"; seq 2\nsleep 1 && echo done\nexit 4');
    const bad = shellCommand('no-such-thing --help');
    gateway.send(first().deviceId, 'command', good);
    gateway.send(first().deviceId, 'command', bad);
    expect(await gateway.until(() => resultOf(entries(), good.invocationId))).toMatchObject({
      responseCode: 4,
    });
    expect(outputOf(entries(), good.invocationId)).toBe('a b\n1\n2\ndone\n');
    expect(await gateway.until(() => resultOf(entries(), bad.invocationId))).toMatchObject({
      responseCode: 127,
    });
  });

  test('a command that ran without effect is not successful', async () => {
    await start();
    first().breakDown('version');
    const { result } = await run('restart-service', { service: service(first()) });
    expect(result).toMatchObject({ state: 'Failed', statusDetails: 'Verify Failed' });
  });

  test('a setting is verified, and its undo restores the previous value', async () => {
    await start();
    const given = { key: 'log.level', value: 'debug' };
    const set = await run('config-set', given);
    expect(set).toMatchObject({ result: { state: 'Success' } });
    expect(first().health.config['log.level']).toBe('debug');
    expect(await run('config-set', given, set.id)).toMatchObject({ result: { state: 'Success' } });
    expect(first().health.config['log.level']).toBe('info');
    expect(await run('config-set', given, set.id)).toMatchObject({ result: { responseCode: 4 } });
  });

  test('a document runs other built-in documents with their own additional steps', async () => {
    await start();
    const shell = (name: string, script: string) => ({
      action: 'aws:runShellScript',
      name,
      inputs: { runCommand: [script] },
    });
    const inner = (documentPath: string, documentParameters = {}) => ({
      action: 'aws:runDocument',
      name: `run-${documentPath}`,
      inputs: { documentType: 'SSMDocument', documentPath, documentParameters },
    });
    const sent = (name: string, mainSteps: object[], verify = 0) => ({
      name,
      version: 1,
      content: {
        schemaVersion: '2.2',
        parameters: { word: { type: 'String', default: '{{ssm:word}}' } },
        mainSteps,
      },
      phases: { preCheck: 0, verify },
    });
    const command = shellCommand([inner('one', { word: 'typed' }), inner('unverified')], {
      storeValues: { 'ssm:word': 'stored' },
      documents: {
        one: sent('one', [shell('say', 'echo {{ word }}'), inner('two')]),
        two: sent('two', [shell('say', 'echo {{ word }} {{ssm:word}}')]),
        unverified: sent('unverified', [shell('say', 'true'), shell('see', 'exit 3')], 1),
      },
    });
    gateway.send(first().deviceId, 'command', command);
    const result = await gateway.until(() => resultOf(entries(), command.invocationId));
    expect(result).toMatchObject({ state: 'Failed', responseCode: 3 });
    expect(outputOf(entries(), command.invocationId)).toBe('typed\nstored stored\n');
  });

  test('results that the server has not acknowledged survive the end of the simulator', async () => {
    await start({ instantResults: true });
    await gateway.until(() => first().unacknowledged === 0);
    gateway.acknowledging = false;
    const command = shellCommand('echo kept');
    gateway.send(first().deviceId, 'command', command);
    await gateway.until(() =>
      gateway.received.some((message) =>
        message.entries.some(
          (entry) =>
            entry.kind === 'invocation-result' && entry.invocationId === command.invocationId,
        ),
      ),
    );
    await fleet?.[Symbol.asyncDispose]();
    gateway.acknowledging = true;
    await start();
    expect(await gateway.until(() => resultOf(entries(), command.invocationId))).toMatchObject({
      state: 'Success',
    });
    expect(outputOf(entries(), command.invocationId)).toBe('kept\n');
  });

  test('sleeping devices have connected once and left; devices that were never switched on have not', async () => {
    await start({ size: 60, rhythm: true, timeScale: 2_000 });
    const devices = [...(fleet?.devices.values() ?? [])];
    expect(devices.filter((device) => device.plan.rhythm === 'never')).toEqual([]);
    expect(devices.length).toBeLessThan(60);
    const statesOf = ({ deviceId }: SimulatedDevice) =>
      gateway.statuses.filter((item) => item.deviceId === deviceId).map(({ status }) => status);
    await gateway.until(() => devices.every((device) => statesOf(device)[0]?.state === 'online'));
    // Depends on the time of day: two of these at 09:00 UTC, ten in the evening.
    await gateway.until(() => devices.some((device) => !device.isAwake));
    const asleep = devices.filter((device) => !device.isAwake);
    await gateway.until(() =>
      asleep.some((device) => statesOf(device).at(-1)?.state === 'offline'),
    );
  });
});

describe('enrollment', () => {
  const refuse = () =>
    Promise.reject(new EnrollmentRefused(403, 'the claim does not cover this serial number'));

  test('a device that the server rejects does not stop the others, and is reported', async () => {
    const errors: string[] = [];
    const started = await start({
      size: 3,
      enroll: (_facts, plan) => (plan.index === 1 ? refuse() : gateway.createIdentity()),
      log: (level, message) => void (level === 'error' && errors.push(message)),
    });
    expect(started.statistics()).toMatchObject({ enrolled: 2, connected: 2 });
    expect(errors).toEqual(['devices not enrolled']);
  });

  test('a fleet of which the server rejects every device does not start', async () => {
    await expect(start({ size: 3, enroll: refuse })).rejects.toThrow('does not cover');
  });

  test('a device that is enrolled while the fleet stops is still enrolled at the next start', async () => {
    const asked = Promise.withResolvers<void>();
    const stopped = await startFleet({
      size: 1,
      stateDirectory: directory,
      enroll: async () => {
        asked.resolve();
        await sleep(200);
        return gateway.createIdentity();
      },
      log: silentLogger,
    });
    await asked.promise;
    await stopped[Symbol.asyncDispose]();
    expect((await start({ enroll: refuse })).statistics().enrolled).toBe(1);
  });
});
