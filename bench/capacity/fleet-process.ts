/** Connected devices: the real agents of the fleet simulator, all in this process. */

import { setTimeout as sleep } from 'node:timers/promises';
import { startFleet, type Fleet } from '../../apps/agent/src/fleet/start-fleet.ts';
import type { SimulatedDevice } from '../../apps/agent/src/fleet/simulated-device.ts';
import type { Identity } from '../../apps/agent/src/store/identity-file.ts';
import { evenly } from './evenly.ts';
import { answerRequests } from './helper-process.ts';

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

export type FleetOrder =
  /** Answers when all devices have connected and the server has acknowledged their journals. */
  | {
      readonly kind: 'connect';
      readonly stateDirectory: string;
      readonly shared: Omit<Identity, 'deviceId' | 'instanceId' | 'certificate'>;
      readonly identities: readonly Pick<Identity, 'deviceId' | 'instanceId' | 'certificate'>[];
    }
  /** A service starts to crash on every n-th device. Only these devices send events. */
  | { readonly kind: 'break'; readonly every: number }
  | ({ readonly kind: 'events' } & Rate)
  /** More of them than those that are due. */
  | ({ readonly kind: 'heartbeats' } & Rate)
  /** Connections end without a goodbye and return after a second. */
  | ({ readonly kind: 'reconnects' } & Rate)
  | { readonly kind: 'disconnected' };

const AWAY_MS = 1_000;
const LOOK_MS = 100;

let fleet: Fleet | undefined;
let reconnected = 0;

const devices = (): SimulatedDevice[] => [...(fleet?.devices.values() ?? [])];

async function untilAll(condition: (device: SimulatedDevice) => boolean): Promise<number> {
  while (!devices().every(condition)) await sleep(LOOK_MS);
  return devices().length;
}

async function connect(order: Extract<FleetOrder, { kind: 'connect' }>): Promise<number> {
  fleet = await startFleet({
    size: order.identities.length,
    seed: 'capacity',
    stateDirectory: order.stateDirectory,
    enroll: async (_facts, { index }) => {
      const own = order.identities[index];
      if (!own) throw new Error(`no identity for device ${index}`);
      return { ...order.shared, ...own };
    },
    ...{ rhythm: false, faults: false, instantResults: true },
    log: (level, message, facts) => {
      if (level === 'error') console.error(message, facts);
    },
  });
  await fleet.ready;
  return untilAll(({ unacknowledged }) => unacknowledged === 0);
}

async function breakSome(every: number): Promise<number> {
  const some = devices().filter((_, index) => index % every === 0);
  for (const device of some) device.breakDown('crash');
  await untilAll(({ unacknowledged }) => unacknowledged === 0);
  return some.length;
}

async function sendEvents(rate: Rate): Promise<number> {
  const broken = devices().filter(({ health }) => health.crashing !== null);
  const sent = await evenly(rate, (index) =>
    broken[index % broken.length]?.repeatComplaints(index),
  );
  await untilAll(({ unacknowledged }) => unacknowledged === 0);
  return sent;
}

async function sendHeartbeats(rate: Rate): Promise<number> {
  const all = devices();
  const sent: Promise<unknown>[] = [];
  const count = await evenly(rate, (index) => void sent.push(reportHealth(all, index)));
  await Promise.all(sent);
  return count;
}

async function reportHealth(all: readonly SimulatedDevice[], index: number): Promise<void> {
  await all[index % all.length]?.reportHealth();
}

async function reconnectSome(rate: Rate): Promise<number> {
  const all = devices();
  const lost: SimulatedDevice[] = [];
  const count = await evenly(rate, () => {
    const device = all[reconnected++ % all.length];
    if (!device) return;
    lost.push(device);
    device.setLine(false);
    setTimeout(() => device.setLine(true), AWAY_MS);
  });
  await sleep(AWAY_MS);
  while (!lost.every(({ isConnected }) => isConnected)) await sleep(LOOK_MS);
  return count;
}

answerRequests<FleetOrder>(async (order) => {
  if (order.kind === 'connect') return connect(order);
  if (order.kind === 'break') return breakSome(order.every);
  if (order.kind === 'events') return sendEvents(order);
  if (order.kind === 'heartbeats') return sendHeartbeats(order);
  if (order.kind === 'reconnects') return reconnectSome(order);
  return devices().filter(({ isConnected }) => !isConnected).length;
});
