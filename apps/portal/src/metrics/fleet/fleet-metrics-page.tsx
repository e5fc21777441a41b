import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useCallback, type ReactNode } from 'react';
import { metricNames, type MetricName } from '@deviceportal/contract/device-metrics';
import { metricGroupings, type MetricGrouping } from '@deviceportal/contract/metric-distribution';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { navigateTo } from '../../ui/navigate-to.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useRefresh } from '../../ui/page-slots.tsx';
import { metricWords } from '../metric-words.ts';
import { DistributionTable } from './distribution-table.tsx';
import '../metrics.css';

export const Route = createLazyRoute('/device-metrics')({ component: FleetMetricsPage });

const route = getRouteApi('/device-metrics');

function FleetMetricsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('devices:read'))
    return <NoAccess area={t('metrics.fleet.title')} permission="devices:read" />;
  return <FleetMetrics />;
}

/** How a metric is distributed over the fleet. */
function FleetMetrics(): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const metric = metricNames.find((name) => name === search.metric) ?? 'cpuUsedPercent';
  const { by } = search;
  const query = useQuery(
    api.deviceMetrics.distribution.queryOptions(
      { metric, by },
      { refetchInterval: refreshMs.trend },
    ),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const change = (part: { readonly metric?: MetricName; readonly by?: MetricGrouping }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
  const options = metricNames.map((name) => ({ value: name, label: metricWords(name, t) }));
  return (
    <SpaceBetween size="m">
      <PageHeader
        title={t('metrics.fleet.title')}
        description={t('metrics.fleet.description')}
        actions={
          may('alerts:manage') ? (
            <Button onClick={() => navigateTo(`/alerts?create=true&metric=${metric}`)}>
              {t('alerts.rule.create')}
            </Button>
          ) : null
        }
      />
      <SpaceBetween direction="horizontal" size="m" alignItems="end">
        <FormField label={t('metrics.fleet.metric')}>
          <Select
            options={options}
            selectedOption={options.find(({ value }) => value === metric) ?? null}
            expandToViewport
            onChange={({ detail }) => change({ metric: detail.selectedOption.value as MetricName })}
          />
        </FormField>
        <SegmentedControl
          label={t('metrics.fleet.by')}
          selectedId={by}
          options={metricGroupings.map((id) => ({ id, text: t(`metrics.fleet.by.${id}`) }))}
          onChange={({ detail }) => change({ by: detail.selectedId as MetricGrouping })}
        />
      </SpaceBetween>
      <DistributionTable {...{ metric, by, query }} />
    </SpaceBetween>
  );
}
