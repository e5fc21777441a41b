import { setTimeout as sleep } from 'node:timers/promises';
import { BROKEN_EVERY, SETTLING_SECONDS } from './measure-unit-costs.ts';
import { readScreens, runOnAll, runSingly } from './user-work.ts';
import { connectAll, measure, openWorkplace, type Measured } from './workplace.ts';

export interface CheckOptions {
  readonly devices: number;
  readonly heartbeatSeconds: number;
  readonly seconds: number;
}

/** Connected devices at work: a hundredth of the fleet that is predicted, and busier than in its busiest hour. */
export async function checkConnected(options: CheckOptions): Promise<readonly Measured[]> {
  await using resources = new AsyncDisposableStack();
  const { devices, seconds } = options;
  const workplace = await openWorkplace(resources, { ...options, published: 0 });
  const { installation, agents } = workplace;
  await readScreens(installation, { perSecond: 5, seconds: SETTLING_SECONDS });
  const connecting = await measure(workplace, `${devices} devices connect`, async () => {
    await connectAll(workplace);
    return { activity: { firstConnect: devices } };
  });
  await agents.ask({ kind: 'break', every: BROKEN_EVERY });
  await sleep(SETTLING_SECONDS * 1_000);
  await installation.database.pool.query('checkpoint');
  const working = await measure(workplace, `${devices} devices at work`, async () => {
    const rate = (perSecond: number) => ({ perSecond, seconds });
    const [event, single, read, invocations] = await Promise.all([
      agents.ask({ kind: 'events', ...rate(devices / 300) }),
      runSingly(installation, rate(1)),
      readScreens(installation, rate(3)),
      runOnAll(installation),
      agents.ask({ kind: 'reconnects', ...rate(devices / 4_000) }),
    ]);
    const commands = { run: single + 1, invocation: single + invocations };
    return { activity: { event, read, ...commands, checkpointDevice: devices } };
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
  await pool.query('checkpoint');
  return measure(workplace, `${devices} devices without connections`, async () => {
    const [count, event] = await Promise.all([
      beat(seconds),
      crowd.ask({ kind: 'events', perSecond: devices / 1_000, seconds }),
    ]);
    const published = { count, everySeconds: heartbeatSeconds };
    return {
      published,
      activity: { event, checkpointDevice: devices * Math.min(1, seconds / 60) },
    };
  });
}
