import { deviceHistoryInput, type DeviceHistory } from '@deviceportal/contract/device-history';
import { permitted, router } from '../platform/api.ts';
import { getDeviceHistory, type DeviceHistoryDeps } from './get-device-history.ts';

export function createDeviceHistoryRouter(deps: DeviceHistoryDeps) {
  return router({
    get: permitted('devices:read')
      .input(deviceHistoryInput)
      .query(({ ctx, input }): Promise<DeviceHistory> =>
        getDeviceHistory(deps, ctx.viewer, { deviceId: input.deviceId, at: new Date(input.at) }),
      ),
  });
}
