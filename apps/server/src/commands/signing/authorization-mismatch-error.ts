import { PortalError } from '@deviceportal/contract/errors';
import type { RefusalReason } from '@deviceportal/contract/refusals';
import type { AuthorizationMismatch } from './authorization.ts';

/** Stored rows differ from what a user authorized, so nothing is signed from them. */
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
