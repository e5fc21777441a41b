import {
  askElevationInput,
  elevationReferenceInput,
  grantElevationInput,
  listElevationsInput,
  refuseElevationInput,
  type ElevationOffer,
  type ElevationRow,
  type MadeByElevation,
} from '@deviceportal/contract/elevations';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../../platform/api.ts';
import { askElevation } from './ask-elevation.ts';
import { grantElevation, refuseElevation } from './decide-elevation.ts';
import type { ElevationDeps, FindMade } from './elevation-deps.ts';
import { endElevation } from './end-elevations.ts';
import { listMade } from './list-made.ts';
import { listElevationOffers, listElevations } from './list-elevations.ts';

export function createElevationsRouter(deps: ElevationDeps & { readonly findMade: FindMade }) {
  return router({
    offers: permitted('admitted').query((): Promise<ElevationOffer[]> => listElevationOffers(deps)),
    list: permitted('admitted')
      .input(listElevationsInput)
      .query(({ ctx, input }): Promise<Page<ElevationRow>> =>
        listElevations(deps, ctx.viewer, input),
      ),
    ask: permitted('admitted')
      .input(askElevationInput)
      .mutation(({ ctx, input }): Promise<ElevationRow> => askElevation(deps, ctx, input)),
    end: permitted('admitted')
      .input(elevationReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => endElevation(deps, ctx, input.id)),
    made: permitted('admitted')
      .input(elevationReferenceInput)
      .query(({ ctx, input }): Promise<readonly MadeByElevation[]> =>
        listMade(deps, ctx.viewer, input.id),
      ),
    grant: permitted('access:manage')
      .input(grantElevationInput)
      .mutation(({ ctx, input }): Promise<ElevationRow> => grantElevation(deps, ctx, input)),
    refuse: permitted('access:manage')
      .input(refuseElevationInput)
      .mutation(({ ctx, input }): Promise<ElevationRow> => refuseElevation(deps, ctx, input)),
  });
}
