import { setTimeout as sleep } from 'node:timers/promises';
import { eventBatchesPerSecond, heartbeatsOf } from './model/activity.ts';
import { BROKEN_EVERY, connectedActivity } from './measure-unit-costs.ts';
import { readScreens, runOnAll, runSingly } from './user-work.ts';
import { connectAll, measure, openWorkplace, type Measured } from './workplace.ts';

export interface CheckOptions {
  readonly devices: number;
  readonly heartbeatSeconds: number;
  readonly seconds: number;
}

/** One minute, in which every device is written once. */
const SETTLING_SECONDS = 60;

/** Connected devices at work: a hundredth of the fleet that is predicted, and busier than in its busiest hour. */
export async function checkConnected(options: CheckOptions): Promise<readonly Measured[]> {
  await using resources = new AsyncDisposableStack();
  const { devices, seconds } = options;
  const workplace = await openWorkplace(resources, { ...options, published: 0 });
  const { installation, agents } = workplace;
  const connecting = await measure(workplace, `${devices} devices connect`, async () => {
    await connectAll(workplace);
    await sleep(2_000);
    return (took) => ({ firstConnect: devices, heartbeatBatch: took });
  });
  await agents.ask({ kind: 'break', every: BROKEN_EVERY });
  await sleep(SETTLING_SECONDS * 1_000);
  await installation.database.pool.query('checkpoint');
  const working = await measure(workplace, `${devices} devices at work`, async () => {
    const rate = (perSecond: number) => ({ perSecond, seconds });
    const eventRate = rate(devices / 300);
    const [event, reconnect, single, read, invocations] = await Promise.all([
      agents.ask({ kind: 'events', ...eventRate }),
      agents.ask({ kind: 'reconnects', ...rate(devices / 4_000) }),
      runSingly(installation, rate(1)),
      readScreens(installation, rate(4)),
      runOnAll(installation),
    ]);
    return (took) => ({
      ...connectedActivity(options, took),
      ...{ event, reconnect, read, checkpointDevice: devices },
      eventBatch: seconds * eventBatchesPerSecond(eventRate.perSecond, 1),
      ...{ run: single + 1, invocation: single + invocations },
    });
  });
  return [connecting, working];
}

/** More devices than this machine can connect: their rows are in the database, and a client publishes for them. */
export async function checkPublished(options: CheckOptions): Promise<Measured> {
  await using resources = new AsyncDisposableStack();
  const { devices, heartbeatSeconds, seconds } = options;
  const workplace = await openWorkplace(resources, {
    ...{ heartbeatSeconds, devices: 1, published: devices },
  });
  const { crowd, installation } = workplace;
  const { pool } = installation.database;
  const { revision: connectionRevision } = installation.connection;
  await pool.query(
    `update device_status set connectivity = 'online', connectivity_since = now(), seen_rank = 'infinity',
       last_seen_at = now(), connection_id = gen_random_uuid()`,
  );
  await pool.query('vacuum analyze device_status');
  const beat = (forSeconds: number): Promise<number> =>
    crowd.ask({
      kind: 'heartbeats',
      ...{ perSecond: devices / heartbeatSeconds, seconds: forSeconds },
      ...{ everySeconds: heartbeatSeconds, connectionRevision },
    });
  // The first heartbeats are news and are all written.
  await beat(heartbeatSeconds * 1.5);
  const measured = await measure(workplace, `${devices} devices without connections`, async () => {
    await pool.query('checkpoint');
    const eventRate = { perSecond: devices / 1_000, seconds };
    const [heartbeats, event] = await Promise.all([
      beat(seconds),
      crowd.ask({ kind: 'events', ...eventRate }),
    ]);
    return (took) => ({
      ...heartbeatsOf(heartbeats, heartbeatSeconds),
      ...{ heartbeatBatch: took, deviceSecond: devices * took },
      ...{ event, eventBatch: seconds * eventBatchesPerSecond(eventRate.perSecond, 1) },
      checkpointDevice: devices * Math.min(1, seconds / 60),
    });
  });
  return { ...measured, isPublished: true };
}
