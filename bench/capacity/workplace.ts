import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { activityOf, heartbeatsOf, type Activity } from './model/activity.ts';
import type { Sample } from './model/unit-costs.ts';
import { usageOf } from './model/usage.ts';
import type { CrowdOrder } from './crowd-process.ts';
import type { FleetOrder } from './fleet-process.ts';
import type { SpeedOrder } from './speed-process.ts';
import { openMeter, type Meter, type Reading } from './meter.ts';
import { readDatabase } from './read-database.ts';
import {
  startInstallation,
  stateDirectoryOf,
  type Installation,
  type InstallationOptions,
} from './start-installation.ts';
import { startHelper, type Helper } from './start-helper.ts';
import { createCrowd, storeDevices } from './store-devices.ts';
import { untilSettled } from './until-settled.ts';

/** An installation with devices, and everything that is needed to measure it. */
export interface Workplace {
  readonly installation: Installation;
  readonly meter: Meter;
  readonly agents: Helper<FleetOrder>;
  readonly crowd: Helper<CrowdOrder>;
  readonly speed: Helper<SpeedOrder>;
  /** Size of the database for an enrolled device that has not connected. */
  readonly storedBytesPerDevice: number;
}

export interface WorkplaceOptions extends InstallationOptions {
  /** Devices that never connect, and whose messages the crowd publishes. */
  readonly published: number;
}

export async function openWorkplace(
  resources: AsyncDisposableStack,
  options: WorkplaceOptions,
): Promise<Workplace> {
  const installation = await startInstallation(resources, options);
  const { database, fleet, broker } = installation;
  const emptyBytes = await storedBytes(database);
  await storeDevices(database, { devices: fleet.devices, seed: 'capacity' });
  const devices = createCrowd(options.published);
  await storeDevices(database, { devices, seed: 'capacity-crowd' });
  const filledBytes = await storedBytes(database);
  const helper = <Order>(name: string): Helper<Order> =>
    resources.use(
      startHelper<Order>(new URL(name, import.meta.url), ['--max-old-space-size=8192']),
    );
  const crowd = helper<CrowdOrder>('crowd-process.ts');
  await crowd.ask({ kind: 'open', url: broker.url, options: broker.access, devices });
  const agents = helper<FleetOrder>('fleet-process.ts');
  return {
    ...{ installation, agents, crowd, speed: helper<SpeedOrder>('speed-process.ts') },
    meter: await openMeter(resources, installation),
    storedBytesPerDevice: (filledBytes - emptyBytes) / (fleet.devices.length + devices.length),
  };
}

async function storedBytes(database: Database): Promise<number> {
  const { keptBytes, updatedBytes } = await readDatabase(database);
  return keptBytes + updatedBytes;
}

/** Connects all devices that have a certificate. */
export async function connectAll({ installation, agents }: Workplace): Promise<number> {
  const { fleet, broker, connection } = installation;
  return agents.ask({
    kind: 'connect',
    stateDirectory: stateDirectoryOf(installation),
    shared: {
      ...{ brokerUrl: broker.url, connection, serverUrl: 'http://localhost' },
      ...{ privateKey: fleet.key, authorities: fleet.authority.authorities },
      ...{ pendingPrivateKey: null, trust: NO_TRUST },
    },
    identities: fleet.devices.map(({ deviceId, instanceId, certificate }) => ({
      ...{ deviceId, instanceId, certificate },
    })),
  });
}

const NONE = { keys: [], sequence: 0, withdrawn: [] };
const NO_TRUST = { runs: NONE, releases: NONE };

export interface Measured extends Sample {
  readonly seconds: number;
  readonly brokerResidentBytes: number;
  readonly updatedBytes: number;
  /** CPU time of one computation of the same kind during this time: how slow the machine was. */
  readonly computationMicroseconds: number;
}

/** What was done while something was measured. What devices did by themselves is counted. */
export interface Done {
  readonly activity?: Partial<Activity>;
  readonly heartbeats?: OtherHeartbeats;
}

/** Heartbeats besides those that connected devices send by themselves. */
export interface OtherHeartbeats {
  readonly count: number;
  /** 0 if they are sent in addition by devices that report often enough without them. */
  readonly everySeconds: number;
  /** By a client, for devices without a connection. */
  readonly isPublished: boolean;
}

/** Measures what was used while something was done. */
export async function measure(
  { meter, installation, speed }: Pick<Workplace, 'meter' | 'installation' | 'speed'>,
  name: string,
  act: () => Promise<Done>,
): Promise<Measured> {
  const before = await meter.read();
  await speed.ask({ kind: 'start' });
  const done = await act().catch((error: unknown) => {
    // What else was being done fails as well, and later.
    console.error(`  ${name}:`, error);
    throw error;
  });
  await untilSettled(installation, before.connected);
  const computationMicroseconds = await speed.ask({ kind: 'read' });
  const after = await meter.read();
  const seconds = (after.atMs - before.atMs) / 1_000;
  const milliseconds = (computationMicroseconds / 1_000).toFixed(2);
  console.log(`  ${name}, ${seconds.toFixed(0)} s, a computation takes ${milliseconds} ms`);
  const { heartbeatSeconds } = installation.connection;
  return {
    ...{
      name,
      seconds,
      computationMicroseconds,
      isPublished: done.heartbeats?.isPublished === true,
    },
    used: usageOf((quantity) => after[quantity] - before[quantity]),
    activity: countActivity({ before, after, done, heartbeatSeconds }),
    brokerResidentBytes: after.brokerResidentBytes - before.brokerResidentBytes,
    updatedBytes: after.updatedBytes - before.updatedBytes,
  };
}

interface Counted {
  readonly before: Reading;
  readonly after: Reading;
  readonly done: Done;
  readonly heartbeatSeconds: number;
}

const NO_OTHERS: OtherHeartbeats = { count: 0, everySeconds: 0, isPublished: false };

function countActivity({ before, after, done, heartbeatSeconds }: Counted): Activity {
  const { activity = {}, heartbeats: others = NO_OTHERS } = done;
  const second = (after.atMs - before.atMs) / 1_000;
  const heartbeats = after.heartbeats - before.heartbeats;
  // Under load, a broker may drop some.
  const otherCount = Math.min(others.count, heartbeats);
  const own = heartbeatsOf(heartbeats - otherCount, heartbeatSeconds);
  const foreign = heartbeatsOf(otherCount, others.everySeconds);
  return activityOf({
    second,
    heartbeatBatch: heartbeats > 0 ? second : 0,
    connectionHeartbeat: others.isPublished ? heartbeats - otherCount : heartbeats,
    notedHeartbeat: own.notedHeartbeat + foreign.notedHeartbeat,
    writtenHeartbeat: own.writtenHeartbeat + foreign.writtenHeartbeat,
    deviceSecond: (second * (before.connected + after.connected)) / 2,
    reconnect: Math.max(0, after.connects - before.connects - (activity.firstConnect ?? 0)),
    journalBatch: after.journalBatches - before.journalBatches,
    brokerWakeup: after.brokerWakeups - before.brokerWakeups,
    ...activity,
  });
}
