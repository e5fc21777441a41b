import { holds } from '@deviceportal/contract/permissions';
import { requirePermanentGrant } from '../access/access-grants/find-required-access-grant.ts';
import { permitted } from '../platform/api.ts';

/** For permanent configuration of the identity provider, which temporary access does not permit. */
export function permittedPermanently() {
  return permitted('provider:manage').use(({ ctx, next }) => {
    requirePermanentGrant(ctx.viewer, (grants) => holds(grants, 'provider:manage'));
    return next();
  });
}
