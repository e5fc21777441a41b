/** When a device that is offline usually connects again. */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** Devices of one request: those that a case or a page shows together. */
export const MAX_FORECAST_DEVICES = 25;

export const checkInForecastInput = z.object({
  deviceIds: z.array(idSchema).min(1).max(MAX_FORECAST_DEVICES),
});

/**
 * What the past absences are compared by: the same time on the same weekday, the same time on any day, or the time
 * that the device has been offline.
 */
export type ForecastBasis = 'weekday' | 'day' | 'duration';

export interface CheckInForecast {
  readonly deviceId: string;
  /** The device is expected to be connected by then. */
  readonly by: Timestamp;
  /** Time zone in which its past days were compared. */
  readonly timeZone: string;
  /** Probability of `by`, from 0 to 1; at least `FORECAST_SHARE`. */
  readonly share: number;
  readonly basis: ForecastBasis;
  /** Past absences like this one, and in how many of them the device was back as early. */
  readonly comparable: number;
  readonly matched: number;
}

/** The forecast names the earliest time with at least this probability. */
export const FORECAST_SHARE = 0.8;
