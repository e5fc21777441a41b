import { holds } from '@deviceportal/contract/permissions';
import { requirePermanentGrant } from '../access/access-grants/find-required-access-grant.ts';
import { permitted } from '../platform/api.ts';

/** For what is set up at the provider and stays: temporary access does not allow it. */
export function permittedForGood() {
  return permitted('provider:manage').use(({ ctx, next }) => {
    requirePermanentGrant(ctx.viewer, (grants) => holds(grants, 'provider:manage'));
    return next();
  });
}
