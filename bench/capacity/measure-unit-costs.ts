import { setTimeout as sleep } from 'node:timers/promises';
import { findSilentDevices } from '../../apps/server/src/devices/data/connections/device-contacts.ts';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { WRITTEN_EVERY_SECONDS, type Activity } from './model/activity.ts';
import { readScreens, runOnAll, runSingly } from './user-work.ts';
import { sumOf, workTogether } from './work-together.ts';
import { connectAll, measure, type Measured, type Workplace } from './workplace.ts';

export interface MeasuringTime {
  readonly devices: number;
  readonly heartbeatSeconds: number;
  /** 1 for the usual duration of the measurements. */
  readonly scale: number;
}

/** Published for each connected device, so that none of them sends more than the gateway accepts. */
export const CROWD = 5;
/** Every device of this many has a service that crashes. */
export const BROKEN_EVERY = 10;
/** Programs run faster after a while, and background jobs process new devices. */
export const SETTLING_SECONDS = 30;
/** A gateway looks for silent devices this often. */
const SEARCH_SECONDS = 5;
const SEARCHES = 100;
/** Heartbeat intervals at which all heartbeats, or a twelfth of them, are written. */
const PUBLISHED_SECONDS = [60, 5];
/** Of the devices, each second: heartbeats that arrive faster are cheaper, because a gateway handles more of them together. */
const PUBLISHED_SHARES = [1 / 8, 2 / 3];

/** Of the connected devices, each second. */
const FURTHER_SHARES = [1 / 10, 1 / 4];

/** Different amounts of everything, so that each has a measurable share. */
export async function measureUnitCosts(
  workplace: Workplace,
  time: MeasuringTime,
): Promise<readonly Measured[]> {
  const { installation, agents } = workplace;
  const { devices, scale } = time;
  const wait = async (seconds: number) => {
    await sleep(seconds * scale * 1_000);
    return {};
  };
  await readScreens(installation, { perSecond: 5, seconds: SETTLING_SECONDS * scale });
  const idle = await measure(workplace, 'without devices', () => wait(45));
  const connecting = await measure(workplace, `${devices} devices connect`, async () => {
    await connectAll(workplace);
    return { activity: { firstConnect: devices } };
  });
  await agents.ask({ kind: 'break', every: BROKEN_EVERY });
  await wait(SETTLING_SECONDS);
  const steady = await measure(workplace, 'connected', () => wait(60));
  await installation.database.pool.query('checkpoint');
  const logged = await measure(workplace, 'connected, after a checkpoint', async () => {
    await wait(60);
    return { activity: { checkpointDevice: devices } };
  });
  const searching = await measure(workplace, 'searches for silent devices', async () => {
    for (let search = 0; search < SEARCHES; search += 1)
      await searchSilent(installation.database, time.heartbeatSeconds);
    return {};
  });
  return [
    ...[idle, connecting, steady, logged],
    withSearches(searching, devices * SEARCHES * SEARCH_SECONDS),
    ...(await measureHeartbeats(workplace, time)),
    ...(await measurePublished(workplace, time)),
    ...(await measureEvents(workplace, time)),
    ...(await measureWork(workplace, time)),
  ];
}

/** The searches of the benchmark, besides those of the gateway. */
const withSearches = (sample: Measured, deviceSeconds: number): Measured => ({
  ...sample,
  activity: {
    ...sample.activity,
    deviceSecond: sample.activity.deviceSecond + deviceSeconds,
  },
});

/** More heartbeats of connected devices: a broker handles messages together that arrive at the same time. */
async function measureHeartbeats(
  workplace: Workplace,
  { devices, scale }: MeasuringTime,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const share of FURTHER_SHARES) {
    const rate = { perSecond: devices * share, seconds: 30 * scale };
    const name = `${rate.perSecond.toFixed(0)} further heartbeats a second`;
    const sample = await measure(workplace, name, async () => {
      const count = await workplace.agents.ask({ kind: 'heartbeats', ...rate });
      return { heartbeats: { count, everySeconds: 0, isPublished: false } };
    });
    measured.push(sample);
  }
  return measured;
}

/** Heartbeats of devices that are not connected: more of them than the connected ones send. */
async function measurePublished(
  workplace: Workplace,
  { devices, scale }: MeasuringTime,
): Promise<readonly Measured[]> {
  const { crowd, installation } = workplace;
  const measured: Measured[] = [];
  // Each of these is written for the first time since the checkpoint.
  let untouched = devices * CROWD;
  const touch = (count: number): number => {
    const touched = Math.min(untouched, count);
    untouched -= touched;
    return touched;
  };
  const phases = PUBLISHED_SHARES.flatMap((share) =>
    PUBLISHED_SECONDS.map((everySeconds) => ({ everySeconds, perSecond: devices * share })),
  );
  for (const { everySeconds, perSecond } of phases) {
    const beat = (seconds: number): Promise<number> =>
      crowd.ask({
        kind: 'heartbeats',
        ...{ perSecond, seconds, everySeconds },
        connectionRevision: installation.connection.revision,
      });
    // The first heartbeat of a device with another interval is news.
    if (everySeconds < WRITTEN_EVERY_SECONDS) await beat(everySeconds * 1.2);
    const name = `${perSecond.toFixed(0)} published heartbeats of ${everySeconds} s a second`;
    const sample = await measure(workplace, name, async () => {
      const count = await beat(30 * scale);
      return {
        heartbeats: { count, everySeconds, isPublished: true },
        activity: { checkpointDevice: everySeconds < WRITTEN_EVERY_SECONDS ? 0 : touch(count) },
      };
    });
    measured.push(sample);
  }
  return measured;
}

/** Of the connected devices, each second. At the highest rate, a gateway stores many events in a transaction. */
const EVENT_SHARES = [1 / 200, 1 / 40, 1 / 8];

/** Without work of users, which costs far more. */
async function measureEvents(
  workplace: Workplace,
  { devices, scale }: MeasuringTime,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const share of EVENT_SHARES) {
    const rate = { perSecond: devices * share, seconds: 30 * scale };
    const sample = await measure(workplace, `${rate.perSecond} events a second`, async () => ({
      activity: { event: await workplace.agents.ask({ kind: 'events', ...rate }) },
    }));
    measured.push(sample);
  }
  return measured;
}

/** What devices report, and what users do: one thing more than usual, while everything else happens, too. */
async function measureWork(
  workplace: Workplace,
  { devices, scale }: MeasuringTime,
): Promise<readonly Measured[]> {
  const { agents, installation } = workplace;
  const seconds = 30 * scale;
  const measured: Measured[] = [];
  const during = async (name: string, act: () => Promise<Partial<Activity>>): Promise<void> => {
    const sample = await measure(workplace, name, async () => {
      const parts = await Promise.all([workTogether(workplace, { seconds, share: 1 / 2 }), act()]);
      return { activity: sumOf(...parts) };
    });
    measured.push(sample);
  };
  for (const share of [1, 3])
    await during(`everything, ${share} times`, () => workTogether(workplace, { seconds, share }));
  const rate = { perSecond: devices / 130, seconds };
  await during(`${rate.perSecond.toFixed(0)} reconnects a second`, async () => {
    await agents.ask({ kind: 'reconnects', ...rate });
    return {};
  });
  await during('commands on one device', async () => {
    const run = await runSingly(installation, { perSecond: 2, seconds });
    return { run, invocation: run };
  });
  await during('commands on all devices', async () => {
    const counts = [await runOnAll(installation), await runOnAll(installation)];
    return { run: counts.length, invocation: counts.reduce((sum, count) => sum + count, 0) };
  });
  await during('screens', async () => ({
    read: await readScreens(installation, { perSecond: 6, seconds }),
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
