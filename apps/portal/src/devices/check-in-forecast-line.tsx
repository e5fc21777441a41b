import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  MAX_FORECAST_DEVICES,
  type CheckInForecast,
} from '@deviceportal/contract/check-in-forecast';
import { useApi } from '../api/use-api.ts';
import { formatRelative, formatWeekdayTime } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useServerNow } from '../ui/time/server-clock.ts';

/** Forecasts of those of the devices that are offline and have a rhythm, by device. */
export function useCheckInForecasts(
  deviceIds: readonly string[],
): ReadonlyMap<string, CheckInForecast> {
  const api = useApi();
  const query = useQuery(
    api.checkInForecast.list.queryOptions(
      { deviceIds: deviceIds.slice(0, MAX_FORECAST_DEVICES) },
      { enabled: deviceIds.length > 0, refetchInterval: refreshMs.totals },
    ),
  );
  return new Map(query.data?.map((forecast) => [forecast.deviceId, forecast]));
}

/** When an offline device usually connects again; nothing if that is unknown. */
export function CheckInForecastLine({ deviceId }: { readonly deviceId: string }): ReactNode {
  const forecast = useCheckInForecasts([deviceId]).get(deviceId);
  if (forecast === undefined) return null;
  return (
    <div>
      <CheckInForecastText forecast={forecast} />
    </div>
  );
}

export function CheckInForecastText({
  forecast: { by, basis, matched, comparable },
}: {
  readonly forecast: CheckInForecast;
}): ReactNode {
  const t = useT();
  const language = useLanguage();
  const nowMs = useServerNow();
  const byMs = Date.parse(by);
  return (
    <span>
      <strong>
        {t('devices.forecast.by', {
          time: formatWeekdayTime(language, byMs),
          relative: formatRelative(language, byMs, nowMs),
        })}
      </strong>{' '}
      {t(`devices.forecast.${basis}`, { matched, comparable })}
    </span>
  );
}
