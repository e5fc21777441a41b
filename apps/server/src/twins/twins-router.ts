import { compareTwinsInput, type TwinComparison } from '@deviceportal/contract/twins';
import { permitted, router } from '../platform/api.ts';
import { compareWithTwins, type TwinsDeps } from './compare-with-twins.ts';

export function createTwinsRouter(deps: TwinsDeps) {
  return router({
    compare: permitted('devices:read')
      .input(compareTwinsInput)
      .query(({ ctx, input }): Promise<TwinComparison> =>
        compareWithTwins(deps, ctx.viewer, input.deviceId),
      ),
  });
}
