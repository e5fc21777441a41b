import { z } from 'zod';

/** Why a device has no terminal, or refused one. */
export const terminalObstacles = [
  'off',
  'no-account',
  'platform',
  'no-pty',
  'signature',
  'too-many',
  'failed',
  'consent-refused',
  'consent-unanswered',
  'no-consent-program',
] as const;
export type TerminalObstacle = (typeof terminalObstacles)[number];

/** In the birth message: whether this device offers terminals. */
export const terminalOfferSchema = z.enum(['available', ...terminalObstacles]);

export type TerminalOffer = z.infer<typeof terminalOfferSchema>;
