import type { DevicePlace } from '@deviceportal/contract/devices';
import {
  deviceTrackInput,
  locationCellsInput,
  type LocationCells,
} from '@deviceportal/contract/locations';
import { permitted, router } from '../platform/api.ts';
import { createShowPlaces, type PlacesDependencies } from './show-places.ts';
import { trackDevice } from './track-device.ts';

export function createLocationsRouter(deps: PlacesDependencies) {
  const showPlaces = createShowPlaces(deps);
  return router({
    cells: permitted('locations:read')
      .input(locationCellsInput)
      .query(({ ctx, input }): Promise<LocationCells> => showPlaces(ctx, input)),
    deviceTrack: permitted('locations:read')
      .input(deviceTrackInput)
      .query(({ ctx, input }): Promise<readonly DevicePlace[]> => trackDevice(deps, ctx, input)),
  });
}
