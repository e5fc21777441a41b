import { holds } from '@deviceportal/contract/permissions';
import { requirePermanentGrant } from '../access/access-grants/find-required-access-grant.ts';
import { permitted } from '../platform/api.ts';
import type { StepUpRule } from '../platform/step-up-gate.ts';

/** For permanent configuration of the identity provider, which temporary access does not permit. */
export function permittedPermanently(stepUp?: StepUpRule) {
  return permitted('provider:manage', stepUp).use(({ ctx, next }) => {
    requirePermanentGrant(ctx.viewer, (grants) => holds(grants, 'provider:manage'));
    return next();
  });
}
