import { PortalError } from '@deviceportal/contract/errors';
import type { RefusalReason } from '@deviceportal/contract/refusals';
import type { AuthorizationMismatch } from './authorization.ts';

/** What is on record is not what a person authorized: nothing is signed from it. */
export class AuthorizationMismatchError extends PortalError {
  readonly mismatch: AuthorizationMismatch;

  constructor(mismatch: AuthorizationMismatch) {
    super('invalidParameters', {
      message:
        mismatch.fault === 'unsigned'
          ? 'This has no signature. Request it again.'
          : 'This was changed in the database after it was authorized. Request it again.',
      facts: { reason: 'authorization-mismatch' satisfies RefusalReason, fault: mismatch.fault },
    });
    this.name = 'AuthorizationMismatchError';
    this.mismatch = mismatch;
  }
}
