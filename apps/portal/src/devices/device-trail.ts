import type { ApiInputs } from '../api/use-api.ts';

export interface TrailStop {
  readonly id: string;
  /** Serial number or name. */
  readonly label: string;
}

/** The last viewed device list: the devices of its page, and the cursors of the pages around it. */
export interface DeviceTrail {
  /** The address of the list, with its filter. */
  readonly href: string;
  readonly input: ApiInputs['devices']['list'];
  readonly stops: readonly TrailStop[];
  /** Cursors of the previous pages, nearest last, and of the next page. */
  readonly previousCursors: readonly (string | null)[];
  readonly nextCursor: string | null;
  /** The number of rows before this page. Null if unknown. */
  readonly rowsBefore: number | null;
  /** The total number of matches, if known exactly. */
  readonly total: number | null;
}

const KEY = 'deviceportal.device-trail';

/** Stored for the tab, so that a reload of the device page keeps the neighbors. */
export function keepTrail(trail: DeviceTrail): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(trail));
  } catch {
    // Without storage, only the neighbors are missing.
  }
}

/** The list from which the device was opened. Undefined if it was opened by a link or search. */
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

export interface Neighbors {
  readonly previous: TrailStop | undefined;
  readonly next: TrailStop | undefined;
  /** The position in the list, from 1. Null if unknown. */
  readonly position: number | null;
}

export function neighborsOf(trail: DeviceTrail, deviceId: string): Neighbors {
  const index = trail.stops.findIndex(({ id }) => id === deviceId);
  return {
    previous: trail.stops[index - 1],
    next: trail.stops[index + 1],
    position: trail.rowsBefore === null ? null : trail.rowsBefore + index + 1,
  };
}
