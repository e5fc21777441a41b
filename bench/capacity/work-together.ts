import type { Activity } from './model/activity.ts';
import { readScreens, runSingly } from './user-work.ts';
import type { Workplace } from './workplace.ts';

/** Devices for each of what happens in a second. */
const DEVICES_FOR_EVENT = 300;
const DEVICES_FOR_RECONNECT = 4_000;
const RUNS = 1;
const CALLS = 3;

/** Everything at the same time: devices send events and lose connections, while users run commands and view screens. */
export async function workTogether(
  { installation, agents }: Workplace,
  {
    seconds,
    share = 1,
  }: { readonly seconds: number; /** Of the usual rates. */ readonly share?: number },
): Promise<Partial<Activity>> {
  const rate = (perSecond: number) => ({ perSecond: perSecond * share, seconds });
  const devices = installation.fleet.devices.length;
  const [event, run, read] = await Promise.all([
    agents.ask({ kind: 'events', ...rate(devices / DEVICES_FOR_EVENT) }),
    runSingly(installation, rate(RUNS)),
    readScreens(installation, rate(CALLS)),
    agents.ask({ kind: 'reconnects', ...rate(devices / DEVICES_FOR_RECONNECT) }),
  ]);
  return { event, run, read, invocation: run };
}

export const sumOf = (...parts: readonly Partial<Activity>[]): Partial<Activity> => {
  const sum: Partial<Record<keyof Activity, number>> = {};
  for (const part of parts)
    for (const [name, count] of Object.entries(part) as [keyof Activity, number][])
      sum[name] = (sum[name] ?? 0) + count;
  return sum;
};
