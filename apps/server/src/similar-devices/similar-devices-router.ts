import {
  compareSimilarDevicesInput,
  type SimilarDevicesComparison,
} from '@deviceportal/contract/similar-devices';
import { permitted, router } from '../platform/api.ts';
import { compareSimilarDevices, type SimilarDevicesDeps } from './compare-similar-devices.ts';

export function createSimilarDevicesRouter(deps: SimilarDevicesDeps) {
  return router({
    compare: permitted('devices:read')
      .input(compareSimilarDevicesInput)
      .query(({ ctx, input }): Promise<SimilarDevicesComparison> =>
        compareSimilarDevices(deps, ctx.viewer, input.deviceId),
      ),
  });
}
