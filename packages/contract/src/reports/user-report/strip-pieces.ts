import type { Timestamp } from '../../pages.ts';

export type StripState = 'online' | 'degraded' | 'offline' | 'unknown';

/** A part of a time range in which the connectivity of a device does not change. */
export interface StripPiece {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly state: StripState;
}
