/** Who else looks at a device right now. */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** How often a page says that somebody is still there. */
export const PRESENCE_EVERY_MS = 15_000;
/** Whoever has said nothing for so long is gone. */
export const PRESENCE_LASTS_SECONDS = 40;

export const announcePresenceInput = z.object({
  deviceId: idSchema,
  /** The page is left. */
  leaving: z.boolean().default(false),
});

export interface PresentPerson {
  readonly userId: string;
  /** Masked where the viewer may not see people. */
  readonly name: string;
  readonly role: string | null;
  readonly since: Timestamp;
}
