import { setTimeout as sleep } from 'node:timers/promises';
import { findSilentDevices } from '../../apps/server/src/devices/data/connections/device-contacts.ts';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { eventBatchesPerSecond, heartbeatsOf, type Activity } from './model/activity.ts';
import { readScreens, runOnAll, runSingly } from './user-work.ts';
import { connectAll, measure, type Measured, type Workplace } from './workplace.ts';

export interface MeasuringTime {
  readonly devices: number;
  readonly heartbeatSeconds: number;
  /** 1 for the usual duration of the measurements. */
  readonly scale: number;
}

/** Every device of this many has a service that crashes. */
export const BROKEN_EVERY = 10;
/** A gateway looks for silent devices this often. */
export const SEARCH_SECONDS = 5;
const SEARCHES = 60;
/** A heartbeat interval at which all heartbeats are written. */
const WRITTEN_SECONDS = 60;
const SHORT_SECONDS = 5;

/** What connected devices do by themselves. */
export function connectedActivity(
  { devices, heartbeatSeconds }: Pick<MeasuringTime, 'devices' | 'heartbeatSeconds'>,
  seconds: number,
): Partial<Activity> {
  const connectionHeartbeat = (devices * seconds) / heartbeatSeconds;
  return {
    connectionHeartbeat,
    ...heartbeatsOf(connectionHeartbeat, heartbeatSeconds),
    heartbeatBatch: seconds,
    deviceSecond: devices * seconds,
  };
}

/** One thing after the other, so that each has a measurable share. */
export async function measureUnitCosts(
  workplace: Workplace,
  time: MeasuringTime,
): Promise<readonly Measured[]> {
  const { installation, agents } = workplace;
  const { devices, scale } = time;
  const wait = (seconds: number) => sleep(seconds * scale * 1_000);
  const own = (seconds: number) => connectedActivity(time, seconds);
  const idle = await measure(workplace, 'without devices', async () => {
    await wait(30);
    return () => ({});
  });
  const connecting = await measure(workplace, `${devices} devices connect`, async () => {
    await connectAll(workplace);
    await sleep(2_000);
    return (seconds) => ({ firstConnect: devices, heartbeatBatch: seconds });
  });
  await agents.ask({ kind: 'break', every: BROKEN_EVERY });
  const steady = await measure(workplace, 'connected', async () => {
    await wait(60);
    return own;
  });
  const searching = await measure(workplace, 'searches for silent devices', async () => {
    for (let search = 0; search < SEARCHES; search += 1)
      await searchSilent(installation.database, time.heartbeatSeconds);
    return (seconds) => ({
      ...own(seconds),
      deviceSecond: devices * (seconds + SEARCHES * SEARCH_SECONDS),
    });
  });
  await installation.database.pool.query('checkpoint');
  const logged = await measure(workplace, 'connected, after a checkpoint', async () => {
    await wait(60);
    return (seconds) => ({ ...own(seconds), checkpointDevice: devices });
  });
  return [
    ...[idle, connecting, steady, searching, logged],
    ...(await measurePublished(workplace, time)),
    ...(await measureWork(workplace, time)),
  ];
}

/** Heartbeats of devices that are not connected: more of them than the connected ones send. */
async function measurePublished(
  workplace: Workplace,
  time: MeasuringTime,
): Promise<readonly Measured[]> {
  const { crowd, installation } = workplace;
  const measured: Measured[] = [];
  for (const everySeconds of [WRITTEN_SECONDS, SHORT_SECONDS]) {
    const name = `published heartbeats of ${everySeconds} s`;
    const sample = await measure(workplace, name, async () => {
      const sent = await crowd.ask({
        kind: 'heartbeats',
        ...{ perSecond: time.devices / 8, seconds: 30 * time.scale, everySeconds },
        connectionRevision: installation.connection.revision,
      });
      const published = heartbeatsOf(sent, everySeconds);
      return (seconds) => {
        const own = connectedActivity(time, seconds);
        return {
          ...own,
          notedHeartbeat: published.notedHeartbeat + (own.notedHeartbeat ?? 0),
          writtenHeartbeat: published.writtenHeartbeat + (own.writtenHeartbeat ?? 0),
        };
      };
    });
    measured.push({ ...sample, isPublished: true });
  }
  return measured;
}

/** What devices report, and what users do. */
async function measureWork(
  workplace: Workplace,
  time: MeasuringTime,
): Promise<readonly Measured[]> {
  const { agents, installation } = workplace;
  const measured: Measured[] = [];
  const during = async (name: string, act: () => Promise<Partial<Activity>>): Promise<void> => {
    const sample = await measure(workplace, name, async () => {
      const activity = await act();
      return (seconds) => ({ ...connectedActivity(time, seconds), ...activity });
    });
    measured.push(sample);
  };
  for (const share of [200, 8]) {
    const rate = { perSecond: time.devices / share, seconds: 30 * time.scale };
    await during(`${rate.perSecond} events a second`, async () => {
      const event = await agents.ask({ kind: 'events', ...rate });
      return { event, eventBatch: rate.seconds * eventBatchesPerSecond(rate.perSecond, 1) };
    });
  }
  const rate = { perSecond: Math.max(1, time.devices / 130), seconds: 25 * time.scale };
  await during(`${rate.perSecond.toFixed(0)} reconnects a second`, async () => ({
    reconnect: await agents.ask({ kind: 'reconnects', ...rate }),
  }));
  await during('commands on one device', async () => {
    const run = await runSingly(installation, { perSecond: 2, seconds: 25 * time.scale });
    return { run, invocation: run };
  });
  await during('commands on all devices', async () => {
    const counts = [await runOnAll(installation), await runOnAll(installation)];
    return { run: counts.length, invocation: counts.reduce((sum, count) => sum + count, 0) };
  });
  await during('screens', async () => ({
    read: await readScreens(installation, { perSecond: 8, seconds: 25 * time.scale }),
  }));
  return measured;
}

/** As a gateway does (apps/server/src/gateway/sweep-presence.ts). */
async function searchSilent({ orm }: Database, heartbeatSeconds: number): Promise<void> {
  await findSilentDevices(orm, {
    ...{ now: new Date(), heartbeats: 2, marginSeconds: 10, limit: 5_000 },
    ...{ defaultSeconds: heartbeatSeconds, listeningSeconds: 3_600 },
  });
}
