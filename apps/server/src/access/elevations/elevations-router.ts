import {
  askElevationInput,
  elevationReferenceInput,
  grantElevationInput,
  listElevationsInput,
  refuseElevationInput,
  type ElevationOffer,
  type ElevationRow,
} from '@deviceportal/contract/elevations';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../../platform/api.ts';
import { askElevation } from './ask-elevation.ts';
import { grantElevation, refuseElevation } from './decide-elevation.ts';
import type { ElevationDeps } from './elevation-deps.ts';
import { endElevation } from './end-elevations.ts';
import { listElevationOffers, listElevations } from './list-elevations.ts';

export function createElevationsRouter(deps: ElevationDeps) {
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
    grant: permitted('access:manage')
      .input(grantElevationInput)
      .mutation(({ ctx, input }): Promise<ElevationRow> => grantElevation(deps, ctx, input)),
    refuse: permitted('access:manage')
      .input(refuseElevationInput)
      .mutation(({ ctx, input }): Promise<ElevationRow> => refuseElevation(deps, ctx, input)),
  });
}
