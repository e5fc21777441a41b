import type { PlaceGroup } from './place-groups.ts';

/** Totals of everything in view, for a sentence. */
export function summarizeGroups(groups: readonly PlaceGroup[], number = String) {
  const sum = (of: (group: PlaceGroup) => number): number =>
    groups.reduce((total, group) => total + of(group), 0);
  const devices = sum(({ count }) => count);
  return {
    devices,
    shown: number(devices),
    online: number(sum(({ byConnectivity }) => byConnectivity.online + byConnectivity.degraded)),
    offline: number(sum(({ byConnectivity }) => byConnectivity.offline + byConnectivity.never)),
  };
}
