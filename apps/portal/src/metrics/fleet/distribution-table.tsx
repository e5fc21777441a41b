import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { metricDefinitions, type MetricName } from '@deviceportal/contract/device-metrics';
import {
  LEAST_GROUP_DEVICES,
  MOST_DISTRIBUTION_DEVICES,
  type MetricDistribution,
  type MetricGroup,
  type MetricGrouping,
} from '@deviceportal/contract/metric-distribution';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { valueScale } from '../chart-scale.ts';
import { metricValue } from '../metric-words.ts';
import { GroupBox } from './group-box.tsx';
import { outlierHref } from './outlier-href.ts';

interface DistributionTableProps {
  readonly metric: MetricName;
  readonly by: MetricGrouping;
  readonly query: UseQueryResult<MetricDistribution, unknown>;
}

/** One row per group, with its box. */
export function DistributionTable({ metric, by, query }: DistributionTableProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { data } = query;
  const columns = useGroupColumns(metric, by, data?.groups);
  return (
    <DataTable
      id="metric-distribution"
      label={t('metrics.fleet.table')}
      header={
        <Header variant="h2" counter={data === undefined ? '' : `(${data.groups.length})`}>
          {t('metrics.fleet.table')}
        </Header>
      }
      variant="container"
      columns={columns}
      rows={data?.groups}
      rowKey={groupKey}
      query={query}
      empty={{
        title: t('metrics.fleet.empty'),
        body: t('metrics.fleet.emptyBody', { least: LEAST_GROUP_DEVICES }),
      }}
      footer={
        data === undefined || data.groups.length === 0 ? null : (
          <Box color="text-body-secondary">
            {t('metrics.fleet.note', { devices: data.devices })}
            {data.isSample
              ? ` ${t('metrics.fleet.sample', { most: format.number(MOST_DISTRIBUTION_DEVICES) })}`
              : null}
          </Box>
        )
      }
      withoutSettings
      wrapLines
    />
  );
}

const groupKey = ({ component, name }: MetricGroup): string => `${component ?? ''} ${name}`;

function useGroupColumns(
  metric: MetricName,
  by: MetricGrouping,
  groups: readonly MetricGroup[] | undefined,
): readonly TableColumn<MetricGroup>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const words = (value: number): string => metricValue(metric, value, { t, format });
    const isPercent = metricDefinitions[metric].unit === 'percent';
    const ends = groups?.flatMap(({ low, high }) => [low, high]) ?? [];
    const scale = valueScale({ min: ends, max: ends }, isPercent);
    return [
      {
        id: 'name',
        header: t(`metrics.fleet.by.${by}`),
        cell: ({ name, component }) =>
          by === 'country'
            ? format.country(name)
            : component === null
              ? name
              : `${component} ${name}`,
        rowHeader: true,
      },
      {
        id: 'devices',
        header: t('metrics.fleet.devices'),
        cell: ({ devices }) => format.number(devices),
      },
      {
        id: 'distribution',
        header: t('metrics.fleet.distribution'),
        cell: (group) => (
          <GroupBox
            group={group}
            scale={scale}
            label={t('metrics.fleet.box', {
              median: words(group.median),
              first: words(group.firstQuartile),
              third: words(group.thirdQuartile),
            })}
          />
        ),
      },
      { id: 'median', header: t('metrics.fleet.median'), cell: ({ median }) => words(median) },
      {
        id: 'middle',
        header: t('metrics.fleet.middle'),
        cell: ({ low, high }) =>
          t('metrics.fleet.middleOf', { low: words(low), high: words(high) }),
      },
      {
        id: 'outliers',
        header: t('metrics.fleet.outliers'),
        cell: (group) => <Outliers {...{ metric, by, group, words }} />,
      },
    ];
  }, [t, format, metric, by, groups]);
}

interface OutliersProps {
  readonly metric: MetricName;
  readonly by: MetricGrouping;
  readonly group: MetricGroup;
  readonly words: (value: number) => string;
}

/** Lead to the device list. */
function Outliers({ metric, by, group, words }: OutliersProps): ReactNode {
  const t = useT();
  const sides = [
    { id: 'above', operator: '>=', count: group.above, limit: group.upperFence },
    { id: 'below', operator: '<=', count: group.below, limit: group.lowerFence },
  ] as const;
  const shown = sides.filter(({ count }) => count > 0);
  if (shown.length === 0) return t('metrics.fleet.noOutliers');
  return shown.map(({ id, operator, count, limit }) => (
    <div key={id}>
      <PortalLink
        href={outlierHref(metric, by, group, {
          operator,
          limit: listLimit(metric, operator, limit),
        })}
      >
        {t(`metrics.fleet.${id}`, { count, limit: words(limit) })}
      </PortalLink>
    </div>
  ));
}

/** The nearest value outside the fence that a device can have. */
function listLimit(metric: MetricName, operator: '>=' | '<=', limit: number): number {
  const unit = 10 ** metricDefinitions[metric].decimals;
  const outside = operator === '>=' ? Math.floor(limit * unit) + 1 : Math.ceil(limit * unit) - 1;
  return outside / unit;
}
