import { systemClock, type Clock } from '../../clock.ts';
import type { Messenger } from '../../messenger.ts';
import type { ChallengeTriggers } from './challenge-triggers.ts';
import { createOneTimeCode } from './one-time-code.ts';
import { createSessionSendLimits } from './send-limits.ts';
import { createTravellingCodeLedger } from './travelling-code-ledger.ts';

/**
 * The one-time code as functions without a database, for a hosted pool: their state is passed in the challenge.
 * @param options.secret at least 32 characters, the same for all functions of the pool
 */
export function createTravellingOneTimeCode(options: {
  readonly messenger: Messenger;
  readonly secret: string;
  readonly hidesUsers: boolean;
  readonly clock?: Clock;
}): ChallengeTriggers {
  const { messenger, secret, hidesUsers, clock = systemClock } = options;
  return createOneTimeCode({
    ledger: createTravellingCodeLedger({ clock, secret }),
    limits: createSessionSendLimits(clock),
    clock,
    messenger,
    hidesUsers,
  });
}
