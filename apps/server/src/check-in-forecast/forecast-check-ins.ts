import type { CheckInForecast } from '@deviceportal/contract/check-in-forecast';
import { findDevicesWithin } from '../devices/data/find-devices.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { connectionHistory } from './absences.ts';
import { findConnectionChanges, findOfflineDevices } from './data/connection-change-queries.ts';
import { forecastReturn } from './forecast-return.ts';

export interface CheckInForecastDeps {
  readonly database: Database;
  readonly clock: () => Date;
}

const HISTORY_MS = 70 * 86_400_000;

/** When devices usually connect again: those that the viewer can see, that are offline, and whose past allows it. */
export async function forecastCheckIns(
  { database, clock }: CheckInForecastDeps,
  viewer: Viewer,
  deviceIds: readonly string[],
): Promise<CheckInForecast[]> {
  const on = database.orm;
  const offline = await findOfflineDevices(on, await findDevicesWithin(on, viewer, deviceIds));
  if (offline.length === 0) return [];
  const now = clock();
  const changes = await findConnectionChanges(
    on,
    offline.map(({ deviceId }) => deviceId),
    new Date(now.getTime() - HISTORY_MS),
  );
  return offline.flatMap(({ deviceId, since, timeZone }) => {
    const forecast = forecastReturn(
      connectionHistory(changes.get(deviceId) ?? []),
      { sinceMs: since.getTime(), nowMs: now.getTime() },
      timeZone ?? 'UTC',
    );
    if (forecast === null) return [];
    const { byMs, ...rest } = forecast;
    return [{ deviceId, by: new Date(byMs).toISOString(), ...rest }];
  });
}
