import { thenAndNowInput, type ThenAndNow } from '@deviceportal/contract/then-and-now';
import { permitted, router } from '../platform/api.ts';
import { getThenAndNow, type ThenAndNowDeps } from './get-then-and-now.ts';

export function createThenAndNowRouter(deps: ThenAndNowDeps) {
  return router({
    get: permitted('devices:read')
      .input(thenAndNowInput)
      .query(({ ctx, input }): Promise<ThenAndNow> =>
        getThenAndNow(deps, ctx.viewer, { deviceId: input.deviceId, at: new Date(input.at) }),
      ),
  });
}
