import type { PortalError } from '@deviceportal/contract/errors';
import type { Change } from '../../platform/change-feed.ts';

/** A rejected enrollment that changed data: the response for the machine, and the changes to publish after commit. */
export interface RefusedEnrollment {
  readonly refusal: PortalError;
  readonly changes: readonly Change[];
}
