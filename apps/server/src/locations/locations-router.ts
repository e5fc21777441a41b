import type { DevicePlace } from '@deviceportal/contract/devices';
import {
  deviceTrackInput,
  locationCellsInput,
  type LocationCell,
} from '@deviceportal/contract/locations';
import { scopesOf } from '@deviceportal/contract/permissions';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { countCells } from './count-cells.ts';
import { trackDevice } from './track-device.ts';

export function createLocationsRouter(deps: { readonly database: Database }) {
  const cells = keepFresh(
    (asked: { viewer: Viewer; cellDegrees: number }) =>
      countCells(deps, asked.viewer, asked.cellDegrees),
    fleetCounts,
  );
  return router({
    cells: permitted('locations:read')
      .input(locationCellsInput)
      .query(({ ctx, input }): Promise<readonly LocationCell[]> =>
        cells(
          `${wholeTenths(input.cellDegrees)} ${JSON.stringify(scopesOf(ctx.viewer.grants, ['locations:read']))}`,
          {
            viewer: ctx.viewer,
            cellDegrees: wholeTenths(input.cellDegrees),
          },
        ),
      ),
    deviceTrack: permitted('locations:read')
      .input(deviceTrackInput)
      .query(({ ctx, input }): Promise<readonly DevicePlace[]> => trackDevice(deps, ctx, input)),
  });
}

/** Edges of cells of odd sizes, laid over each other, would tell a place more finely than 0.1 degree. */
const wholeTenths = (degrees: number): number => Math.round(degrees * 10) / 10;
