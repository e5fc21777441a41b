import { setTimeout as sleep } from 'node:timers/promises';
import { BROKEN_EVERY, SETTLING_SECONDS } from './measure-unit-costs.ts';
import { readScreens, runOnAll } from './user-work.ts';
import { untilSettled } from './until-settled.ts';
import { sumOf, workTogether } from './work-together.ts';
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
    const [work, invocations] = await Promise.all([
      workTogether(workplace, { seconds }),
      runOnAll(installation),
    ]);
    const all = { run: 1, invocation: invocations, checkpointDevice: devices };
    return { activity: sumOf(work, all) };
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
  // Rows that were updated one after the other have room for the next version.
  await pool.query('vacuum (full, analyze) device_status');
  const beat = (forSeconds: number): Promise<number> =>
    crowd.ask({
      kind: 'heartbeats',
      ...{ perSecond: devices / heartbeatSeconds, seconds: forSeconds },
      ...{ everySeconds: heartbeatSeconds, connectionRevision },
    });
  const complain = (perSecond: number, forSeconds: number): Promise<number> =>
    crowd.ask({ kind: 'events', every: BROKEN_EVERY, perSecond, seconds: forSeconds });
  // The first heartbeats are news and are all written, and the first event of a device opens a finding.
  const broken = devices / BROKEN_EVERY;
  await Promise.all([
    beat(heartbeatSeconds * 1.5),
    complain(broken / heartbeatSeconds, heartbeatSeconds),
  ]);
  await untilSettled(installation, devices);
  await pool.query('checkpoint');
  return await measure(workplace, `${devices} devices without connections`, async () => {
    const [count, event] = await Promise.all([beat(seconds), complain(devices / 1_000, seconds)]);
    return {
      heartbeats: { count, everySeconds: heartbeatSeconds, isPublished: true },
      activity: { event, checkpointDevice: devices * Math.min(1, seconds / 60) },
    };
  });
}
