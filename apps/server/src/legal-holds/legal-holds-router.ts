import {
  legalHoldReference,
  requestReleaseInput,
  setLegalHoldInput,
  type LegalHolds,
} from '@deviceportal/contract/legal-holds';
import { permitted, router } from '../platform/api.ts';
import type { LegalHoldsDeps } from './legal-holds-deps.ts';
import { listLegalHolds } from './list-holds.ts';
import { approveRelease, rejectRelease, requestRelease } from './release-hold.ts';
import { setHold } from './set-hold.ts';

export function createLegalHoldsRouter(deps: LegalHoldsDeps) {
  return router({
    list: permitted('legal-holds:read').query(({ ctx }): Promise<LegalHolds> =>
      listLegalHolds(deps, ctx.viewer),
    ),
    set: permitted('legal-holds:manage')
      .input(setLegalHoldInput)
      .mutation(({ ctx, input }): Promise<{ readonly id: string }> => setHold(deps, ctx, input)),
    requestRelease: permitted('legal-holds:manage')
      .input(requestReleaseInput)
      .mutation(({ ctx, input }): Promise<void> => requestRelease(deps, ctx, input)),
    rejectRelease: permitted('legal-holds:manage')
      .input(legalHoldReference)
      .mutation(({ ctx, input }): Promise<void> => rejectRelease(deps, ctx, input.id)),
    approveRelease: permitted('legal-holds:manage', 'destroys')
      .input(legalHoldReference)
      .mutation(({ ctx, input }): Promise<void> => approveRelease(deps, ctx, input.id)),
  });
}
