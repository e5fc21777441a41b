import { addressBucket } from '@deviceportal/contract/address-bucket';
import { DEVICE_GRANT } from '@deviceportal/contract/device-grant';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import {
  lockPendingByUserCode,
  type DeviceAuthorization,
} from '../data/device-authorization-queries.ts';
import {
  countAttempt,
  secondsLocked,
  takeBackAttempts,
  type FailureSource,
} from '../data/user-code-failure-queries.ts';

const { mostFailures, lockSeconds } = DEVICE_GRANT;

/** What a code leads to. A failure is returned, because its count must be committed. */
export type EnteredCode = DeviceAuthorization | { readonly failure: PortalError };

/**
 * The pending authorization of a user code, locked. Incorrect codes are counted for the user and the address (RFC 8628,
 * section 5.1). With too many, no further code is checked for a while.
 */
export async function enterUserCode(
  tx: Transaction,
  caller: Caller,
  userCode: string,
): Promise<EnteredCode> {
  const sources = sourcesOf(caller);
  // Always in this order, so that concurrent attempts cannot block each other.
  for (const source of sources) {
    const seconds = await secondsLocked(tx, source);
    if (seconds > 0) return { failure: refuse('user-code-locked', { facts: { seconds } }) };
  }
  let failures = 0;
  for (const source of sources) {
    const counted = await countAttempt(tx, source, lockSeconds);
    if (counted === undefined) {
      return { failure: refuse('user-code-locked', { facts: { seconds: lockSeconds } }) };
    }
    if (counted >= source.most) failures = Math.max(failures, counted);
  }
  const found = await lockPendingByUserCode(tx, userCode);
  if (found !== undefined) {
    await takeBackAttempts(tx, sources);
    return found;
  }
  if (failures > 0) await recordLock(tx, caller, failures);
  return { failure: refuse('user-code-unknown', { field: 'userCode' }) };
}

const sourcesOf = ({ viewer, address }: Caller): readonly FailureSource[] => [
  { source: `user ${viewer.userId}`, userId: viewer.userId, most: mostFailures.ofUser },
  { source: `address ${addressBucket(address)}`, userId: null, most: mostFailures.ofAddress },
];

async function recordLock(tx: Transaction, caller: Caller, failures: number): Promise<void> {
  await recordAudit(tx, [
    {
      type: 'access.user-code-locked',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { failures },
    },
  ]);
}
