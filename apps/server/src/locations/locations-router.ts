import type { DevicePlace } from '@deviceportal/contract/devices';
import {
  deviceTrackInput,
  locationCellsInput,
  setPositionInput,
  type LocationCells,
} from '@deviceportal/contract/locations';
import { permitted, router } from '../platform/api.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { createShowPlaces, type PlacesDependencies } from './show-places.ts';
import { setPosition } from './set-position.ts';
import { trackDevice } from './track-device.ts';

export function createLocationsRouter(deps: PlacesDependencies & { readonly changes: ChangeFeed }) {
  const showPlaces = createShowPlaces(deps);
  return router({
    cells: permitted('locations:read')
      .input(locationCellsInput)
      .query(({ ctx, input }): Promise<LocationCells> => showPlaces(ctx, input)),
    setPosition: permitted('devices:manage')
      .input(setPositionInput)
      .mutation(({ ctx, input }): Promise<void> => setPosition(deps, ctx, input)),
    deviceTrack: permitted('locations:read')
      .input(deviceTrackInput)
      .query(({ ctx, input }): Promise<readonly DevicePlace[]> => trackDevice(deps, ctx, input)),
  });
}
