import type pg from 'pg';
import type { WriteAct } from '../administration/administration-act.ts';
import type { AccountGuesses } from '../accounts/account-guesses.ts';
import type { Clock } from '../clock.ts';
import type { IdentityEvent, RecordIdentityEvent, WriteIdentityEvent } from '../identity-event.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { QueueNotice } from '../messenger.ts';
import type { SecretHash } from '../secrets/secret-hash.ts';
import { PasskeyError } from './passkey-error.ts';
import type { PasskeyCaller } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

export interface PasskeyContext {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly limits: RateLimits;
  readonly guesses: AccountGuesses;
  /** Undefined where browsers offer no passkeys. */
  readonly relyingParty: RelyingParty | undefined;
  readonly record: RecordIdentityEvent;
  readonly writeEvent: WriteIdentityEvent;
  readonly writeAct: WriteAct;
  readonly queueNotice: QueueNotice;
  /** The link in notices. */
  readonly portalUrl: string;
  readonly onInternalError: (error: unknown, what: string) => void;
}

/** @throws PasskeyError unavailable */
export function requireRelyingParty({ relyingParty }: PasskeyContext): RelyingParty {
  if (relyingParty === undefined) throw new PasskeyError('unavailable');
  return relyingParty;
}

/** Records a change in its transaction. */
export function writeChange(
  context: Pick<PasskeyContext, 'clock' | 'writeEvent'>,
  client: pg.PoolClient,
  caller: PasskeyCaller,
  detail: string,
): Promise<void> {
  return context.writeEvent(client, eventOf(context, 'accountChanged', caller, detail));
}

export function eventOf(
  { clock }: Pick<PasskeyContext, 'clock'>,
  kind: IdentityEvent['kind'],
  { owner, address, requestId }: Omit<PasskeyCaller, 'owner'> & Partial<PasskeyCaller>,
  detail: string,
): IdentityEvent {
  return {
    ...{ kind, at: new Date(clock.now()), address, detail },
    ...{ sub: owner?.id, username: owner?.username },
    ...(requestId !== undefined && { requestId }),
  };
}
