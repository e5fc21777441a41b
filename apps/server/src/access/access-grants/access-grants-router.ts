import {
  requestAccessGrantInput,
  accessGrantReferenceInput,
  approveAccessGrantInput,
  listAccessGrantsInput,
  denyAccessGrantInput,
  type AccessGrantOffer,
  type AccessGrantRow,
  type MadeByAccessGrant,
} from '@deviceportal/contract/access-grants';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../../platform/api.ts';
import { requestAccessGrant } from './request-access-grant.ts';
import { approveAccessGrant, denyAccessGrant } from './decide-access-grant.ts';
import type { AccessGrantDeps, FindCreatedObjects } from './access-grant-deps.ts';
import { endAccessGrant } from './end-access-grants.ts';
import { listCreatedObjects } from './list-created-objects.ts';
import { listAccessGrantOffers, listAccessGrants } from './list-access-grants.ts';

export function createAccessGrantsRouter(
  deps: AccessGrantDeps & { readonly findCreatedObjects: FindCreatedObjects },
) {
  return router({
    offers: permitted('admitted').query((): Promise<AccessGrantOffer[]> =>
      listAccessGrantOffers(deps),
    ),
    list: permitted('admitted')
      .input(listAccessGrantsInput)
      .query(({ ctx, input }): Promise<Page<AccessGrantRow>> =>
        listAccessGrants(deps, ctx.viewer, input),
      ),
    ask: permitted('admitted')
      .input(requestAccessGrantInput)
      .mutation(({ ctx, input }): Promise<AccessGrantRow> => requestAccessGrant(deps, ctx, input)),
    end: permitted('admitted')
      .input(accessGrantReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => endAccessGrant(deps, ctx, input.id)),
    made: permitted('admitted')
      .input(accessGrantReferenceInput)
      .query(({ ctx, input }): Promise<readonly MadeByAccessGrant[]> =>
        listCreatedObjects(deps, ctx.viewer, input.id),
      ),
    grant: permitted('access:manage', 'grants-rights')
      .input(approveAccessGrantInput)
      .mutation(({ ctx, input }): Promise<AccessGrantRow> => approveAccessGrant(deps, ctx, input)),
    refuse: permitted('access:manage')
      .input(denyAccessGrantInput)
      .mutation(({ ctx, input }): Promise<AccessGrantRow> => denyAccessGrant(deps, ctx, input)),
  });
}
