import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { evenly } from './evenly.ts';
import type { Installation } from './start-installation.ts';

type Target =
  | { readonly kind: 'devices'; readonly deviceIds: readonly string[] }
  | { readonly kind: 'filter'; readonly filter: object };

const CONNECTED = {
  kind: 'filter' as const,
  filter: { tokens: [{ key: 'connectivity', operator: '=', values: ['online', 'degraded'] }] },
};
const LOOK_MS = 500;

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Runs a command on one device at a time. Resolves with the number of runs when all have ended. */
export async function runSingly(installation: Installation, rate: Rate): Promise<number> {
  const { devices } = installation.fleet;
  const count = await inParallel(rate, (index) => {
    const deviceId = devices[(index * 7) % devices.length]?.deviceId ?? '';
    return run(installation, { kind: 'devices', deviceIds: [deviceId] });
  });
  await untilEnded(installation);
  return count;
}

/** Runs a command on all connected devices. Resolves with the number of devices when all have ended. */
export async function runOnAll(installation: Installation): Promise<number> {
  const { count } = await run(installation, CONNECTED);
  await untilEnded(installation);
  return count;
}

/** Reads what screens show: the device list, a device, runs, a search, and notifications in turn. */
export async function readScreens(
  { users, fleet: { devices } }: Installation,
  rate: Rate,
): Promise<number> {
  return inParallel(rate, async (index) => {
    const device = devices[(index * 7) % devices.length]?.deviceId ?? '';
    const calls: readonly (readonly [path: string, input: object])[] = [
      ['devices.list', {}],
      ['devices.get', { device }],
      ['commands.listRuns', {}],
      ['devices.list', { filter: CONNECTED.filter }],
      ['search.find', { text: device.slice(0, 8) }],
      ['notifications.list', {}],
    ];
    const [path, input] = calls[index % calls.length] ?? ['devices.list', {}];
    const user = users[index % users.length];
    await untilTaken(async () => user?.query(path, input));
  });
}

/** Lack of time, or a device that connected between the preview and the run. */
const PASSING = /overBudget|target-changed/;

/** Like the portal, which repeats calls that the server rejects for lack of time, and a user who reviews a change. */
async function untilTaken<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!PASSING.test(String(error))) throw error;
      await sleep(LOOK_MS);
    }
  }
}

async function inParallel(rate: Rate, act: (index: number) => Promise<unknown>): Promise<number> {
  const acts: Promise<unknown>[] = [];
  const count = await evenly(rate, (index) => {
    const done = act(index);
    // Reported when all have been started.
    done.catch(() => {});
    acts.push(done);
  });
  await Promise.all(acts);
  return count;
}

async function run({ users: [admin] }: Installation, target: Target): Promise<TargetPreview> {
  if (!admin) throw new Error('no user');
  const command = { command: 'process/top', target };
  return untilTaken(async () => {
    const shown = (await admin.query('commands.previewTarget', command)) as TargetPreview;
    await admin.mutate('commands.run', {
      ...command,
      ...{ targetSha256: shown.sha256, targetCount: shown.count, idempotencyKey: randomUUID() },
      ...{ parameters: {}, maxConcurrency: '100%', maxErrors: '100%' },
    });
    return shown;
  });
}

async function untilEnded({ database: { pool } }: Installation): Promise<void> {
  const isOpen = async (): Promise<boolean> => {
    const { rowCount } = await pool.query('select from command_run where ended_at is null limit 1');
    return rowCount !== 0;
  };
  while (await isOpen()) await sleep(LOOK_MS);
}
