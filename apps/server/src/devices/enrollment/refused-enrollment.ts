import type { PortalError } from '@deviceportal/contract/errors';
import type { Change } from '../../platform/change-feed.ts';

/** A refusal that leaves something on record: what the machine is answered, and what to publish after commit. */
export interface RefusedEnrollment {
  readonly refusal: PortalError;
  readonly changes: readonly Change[];
}
