import type { DocumentTestChange } from '@deviceportal/contract/document-tests';
import type { DeviceHealth } from './device-health.ts';

/** Changed attributes of a simulated device, as texts that need no translation. */
export function changesBetween(before: DeviceHealth, after: DeviceHealth): DocumentTestChange[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((what) => old[what] !== now[what])
    .map((what) => ({ what, before: old[what] ?? null, after: now[what] ?? null }));
}

function factsOf(health: DeviceHealth): Readonly<Record<string, string | undefined>> {
  const under = (group: string, values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [`${group}.${key}`, value]));
  return {
    'disk.used': `${health.diskUsedPercent} %`,
    'network.loss': `${health.lossPercent} %`,
    'service.crashing': health.crashing ?? undefined,
    'clock.offset': `${health.clockOffsetSeconds} s`,
    'memory.leak': health.leak?.name,
    'version.needed': health.neededVersion ?? undefined,
    ...under('software', health.versions),
    ...under('config', health.config),
  };
}
