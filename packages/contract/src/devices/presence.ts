/** Other users who are viewing a device. */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** Interval at which an open page reports its presence. */
export const PRESENCE_EVERY_MS = 15_000;
/** A viewer is removed after this time without a report. */
export const PRESENCE_LASTS_SECONDS = 40;

export const announcePresenceInput = z.object({
  deviceId: idSchema,
  /** The user is leaving the page. */
  leaving: z.boolean().default(false),
});

export interface PresentPerson {
  readonly userId: string;
  /** Masked if the viewer cannot see people. */
  readonly name: string;
  readonly role: string | null;
  readonly since: Timestamp;
}
