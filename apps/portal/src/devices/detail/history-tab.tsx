import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { serverNowMs } from '../../ui/time/server-clock.ts';
import type { DeviceTabProps } from './device-tab-props.ts';
import { MomentPicker } from './moment-picker.tsx';
import { PastFindings } from './past-findings.tsx';
import { HistoryCommands } from './history-commands.tsx';
import { HistoryFacts } from './history-facts.tsx';

const route = getRouteApi('/devices/$id');
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const yesterday = (): string =>
  new Date(Math.floor((serverNowMs() - DAY_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

/**
 * The state of the device at an earlier time, compared with the current state. The time is in the
 * address.
 */
export function HistoryTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [start] = useState(yesterday);
  const at = Number.isNaN(Date.parse(search.at)) ? start : new Date(search.at).toISOString();
  const query = useQuery(
    api.deviceHistory.get.queryOptions(
      { deviceId: device.id, at },
      // The state at an earlier time does not change.
      { placeholderData: keepPreviousData, refetchInterval: false },
    ),
  );
  const look = (moment: string): void =>
    void navigate({ search: (old) => ({ ...old, at: moment }), replace: true, resetScroll: false });
  const { knownSince } = query.data ?? {};
  return (
    <SpaceBetween size="m">
      {knownSince !== undefined && at < knownSince ? (
        <Alert type="info">
          {t('devices.then.before', { moment: format.absolute(Date.parse(knownSince)) })}
        </Alert>
      ) : null}
      <HistoryFacts
        query={query}
        deviceId={device.id}
        moment={<MomentPicker at={at} onChange={look} />}
      />
      <HistoryCommands commands={query.data?.commands ?? []} deviceId={device.id} />
      <PastFindings deviceId={device.id} onLook={look} />
    </SpaceBetween>
  );
}
