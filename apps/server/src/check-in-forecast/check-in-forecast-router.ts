import {
  checkInForecastInput,
  type CheckInForecast,
} from '@deviceportal/contract/check-in-forecast';
import { permitted, router } from '../platform/api.ts';
import { forecastCheckIns, type CheckInForecastDeps } from './forecast-check-ins.ts';

export function createCheckInForecastRouter(deps: CheckInForecastDeps) {
  return router({
    list: permitted('devices:read')
      .input(checkInForecastInput)
      .query(({ ctx, input }): Promise<CheckInForecast[]> =>
        forecastCheckIns(deps, ctx.viewer, input.deviceIds),
      ),
  });
}
