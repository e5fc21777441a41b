import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import type { DeviceTabProps } from '../devices/detail/device-tab-props.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { Time } from '../ui/time/time.tsx';
import { CAUSE_MS } from './changes/metric-changes.ts';
import { ComparisonControls } from './comparisons/comparison-controls.tsx';
import { ComparisonNotes } from './comparisons/comparison-notes.tsx';
import { useComparisons } from './comparisons/use-comparisons.ts';
import { MetricCharts } from './metric-charts.tsx';
import { RangeControls } from './range-controls.tsx';
import { toMetricInput } from './to-metric-input.ts';
import { useMetricMarks } from './use-metric-marks.ts';
import { useMetricsAddress } from './use-metrics-address.ts';
import { useMinute } from './use-minute.ts';
import './metrics.css';

/** What the device measured over time, and what happened on it, on one time axis. */
export function MetricsTab({ device }: DeviceTabProps): ReactNode {
  const api = useApi();
  const nowMs = useMinute();
  const { range, span, isZoomed, comparison, ...on } = useMetricsAddress(nowMs);
  const query = useQuery(
    api.deviceMetrics.get.queryOptions(
      { deviceId: device.id, ...toMetricInput(span) },
      {
        placeholderData: keepPreviousData,
        // Devices that have just connected have no metrics yet.
        refetchInterval: ({ state }) =>
          state.data?.series.length === 0 && device.connectivity === 'online'
            ? refreshMs.computed
            : refreshMs.totals,
      },
    ),
  );
  const metrics = query.data;
  const marks = useMetricMarks(device.id, { fromMs: span.fromMs - CAUSE_MS, toMs: span.toMs });
  const comparisons = useComparisons({
    ...{ deviceId: device.id, span },
    ...{ model: comparison.model, other: comparison.with },
    isReady: metrics !== undefined,
  });
  const controls = (
    <ComparisonControls deviceId={device.id} choice={comparison} onChange={on.onCompare} />
  );
  return (
    <SpaceBetween size="m">
      <RangeControls {...{ range, span, nowMs, isZoomed }} {...on} />
      {query.isError ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : null}
      <Container
        header={<MetricsHeader newestAt={metrics?.newestAt ?? null} controls={controls} />}
      >
        {metrics === undefined ? (
          <Skeleton />
        ) : (
          <SpaceBetween size="m">
            <ComparisonNotes choice={comparison} comparisons={comparisons} />
            <MetricCharts
              {...{ metrics, marks, span }}
              compared={comparisons.compared}
              onZoom={on.onZoom}
            />
          </SpaceBetween>
        )}
      </Container>
    </SpaceBetween>
  );
}

interface MetricsHeaderProps {
  readonly newestAt: string | null;
  readonly controls: ReactNode;
}

function MetricsHeader({ newestAt, controls }: MetricsHeaderProps): ReactNode {
  const t = useT();
  return (
    <Header
      variant="h2"
      description={
        <>
          {t('metrics.note')}{' '}
          {newestAt === null ? null : (
            <>
              {t('metrics.newest')} <Time at={newestAt} />
            </>
          )}
        </>
      }
      actions={controls}
    >
      {t('metrics.title')}
    </Header>
  );
}
