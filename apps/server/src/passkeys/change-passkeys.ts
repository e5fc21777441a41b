import { PASSKEY_CHANGE_MS } from '@deviceportal/contract/passkeys';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { PasskeyError, type PasskeyRefusal } from '@deviceportal/identity/passkey-error';
import type { PasskeyCaller } from '@deviceportal/identity/passkeys';
import { findContactTimes } from '../access/data/contact-times.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { ownerOfPasskeys } from './owner-of-passkeys.ts';
import type { PasskeysDeps } from './passkeys-deps.ts';

/** A session that was taken over must not add a passkey, which would outlast it. */
export function changeableUntil({ signedInAt }: Pick<Viewer, 'signedInAt'>): Date {
  return new Date(signedInAt.getTime() + PASSKEY_CHANGE_MS);
}

/**
 * Runs a change of the caller's passkeys, shortly after the sign-in.
 * @throws PortalError 1000 if the sign-in is too old; 2004 or 2003 for what the identity store rejects
 */
export async function changePasskeys<Result>(
  { clock, database }: Pick<PasskeysDeps, 'clock' | 'database'>,
  caller: Caller,
  change: (caller: PasskeyCaller) => Promise<Result>,
): Promise<Result> {
  if (changeableUntil(caller.viewer) <= clock()) throw refuse('passkey-sign-in-old');
  const { subject, username, userId } = caller.viewer;
  const contacts = await findContactTimes(database.orm, userId);
  const owner = ownerOfPasskeys({ subject, username, ...contacts });
  return inPortalWords(() => change({ ...passkeyCallerOf(caller), owner }));
}

/** @throws PortalError for what the identity store rejects */
export async function inPortalWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PasskeyError ? toPortalError(error) : error;
  }
}

/** The caller without a contact, for changes without a notice. */
export function passkeyCallerOf(caller: Caller): PasskeyCaller {
  const { viewer, address, requestId, userAgent } = caller;
  const owner = ownerOfPasskeys({ ...viewer, email: null, phone: null });
  return { owner, address, requestId, userAgent };
}

const reasons = {
  unavailable: 'passkeys-unavailable',
  challengeEnded: 'passkey-challenge-ended',
  notVerified: 'passkey-not-verified',
  signCountRegressed: 'passkey-not-verified',
  unknownPasskey: 'passkey-unknown',
  tooManyPasskeys: 'passkeys-full',
  alreadyRegistered: 'passkey-registered',
  wrongRecoveryCode: 'passkey-not-verified',
  tooManyRequests: 'passkey-not-verified',
} as const satisfies Record<PasskeyRefusal, string>;

function toPortalError(error: PasskeyError): PortalError {
  return refuse(reasons[error.refusal], { cause: error });
}
