import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { adoptionSeries } from './adoption-series.ts';
import { AdoptionTable } from './adoption-table.tsx';

/**
 * Shares of a component’s versions over the last 90 days, as a chart and a table with the same
 * numbers.
 */
export function AdoptionChart({ component }: { readonly component: string }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(api.versions.getAdoption.queryOptions({ component }));
  if (query.error !== null) {
    return <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />;
  }
  const days = query.data?.days ?? [];
  const series = adoptionSeries(query.data?.series ?? [], t('versions.adoption.other'));
  return (
    <Container
      header={
        <Header variant="h2" description={t('versions.adoption.note')}>
          {t('versions.adoption.title', { component })}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <MixedLineBarChart
          ariaLabel={t('versions.adoption.chart')}
          xScaleType="categorical"
          stackedBars
          hideFilter
          height={280}
          xDomain={days}
          xTitle={t('versions.adoption.day')}
          yTitle={t('versions.adoption.devices')}
          statusType={query.data === undefined ? 'loading' : 'finished'}
          i18nStrings={{ yTickFormatter: (value) => format.number(value) }}
          series={series.map(({ version, devices }) => ({
            type: 'bar',
            title: version,
            data: days.map((day, at) => ({ x: day, y: devices[at] ?? 0 })),
            valueFormatter: (value: number) => format.number(value),
          }))}
        />
        <ExpandableSection headerText={t('versions.adoption.chart')}>
          <AdoptionTable days={days} series={series} />
        </ExpandableSection>
      </SpaceBetween>
    </Container>
  );
}
