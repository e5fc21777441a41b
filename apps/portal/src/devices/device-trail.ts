import type { ApiInputs } from '../api/use-api.ts';

export interface TrailStop {
  readonly id: string;
  /** Serial number or name. */
  readonly label: string;
}

/** The list that a person looked at last, as they saw it: its page of devices, and how to read the ones around it. */
export interface DeviceTrail {
  /** The list's address, with its filter. */
  readonly href: string;
  readonly input: ApiInputs['devices']['list'];
  readonly stops: readonly TrailStop[];
  /** Where the pages before this one begin, the nearest last, and the one after it. */
  readonly previousCursors: readonly (string | null)[];
  readonly nextCursor: string | null;
  /** Rows before this page, null where nobody has counted. */
  readonly rowsBefore: number | null;
  /** How many match in all, where that is known exactly. */
  readonly total: number | null;
}

const KEY = 'deviceportal.device-trail';

/** Kept for this tab: a reload of the device's page still knows its neighbours. */
export function keepTrail(trail: DeviceTrail): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(trail));
  } catch {
    // Without storage there are no neighbours, and nothing else is missing.
  }
}

/** The list that this device was opened from; undefined for one that was opened by a link or the search. */
export function trailOf(deviceId: string): DeviceTrail | undefined {
  const trail = readTrail();
  return trail?.stops.some(({ id }) => id === deviceId) ? trail : undefined;
}

function readTrail(): DeviceTrail | undefined {
  try {
    const trail = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as DeviceTrail | null;
    return Array.isArray(trail?.stops) ? trail : undefined;
  } catch {
    return undefined;
  }
}

export interface Neighbours {
  readonly previous: TrailStop | undefined;
  readonly next: TrailStop | undefined;
  /** From 1 in the whole list, null where nobody has counted. */
  readonly position: number | null;
}

export function neighboursOf(trail: DeviceTrail, deviceId: string): Neighbours {
  const index = trail.stops.findIndex(({ id }) => id === deviceId);
  return {
    previous: trail.stops[index - 1],
    next: trail.stops[index + 1],
    position: trail.rowsBefore === null ? null : trail.rowsBefore + index + 1,
  };
}
