import { holds } from '@deviceportal/contract/permissions';
import { requireLasting } from '../access/access-grants/find-access-grant-behind.ts';
import { permitted } from '../platform/api.ts';

/** For what is set up at the provider and stays: temporary access does not allow it. */
export function permittedForGood() {
  return permitted('provider:manage').use(({ ctx, next }) => {
    requireLasting(ctx.viewer, (grants) => holds(grants, 'provider:manage'));
    return next();
  });
}
