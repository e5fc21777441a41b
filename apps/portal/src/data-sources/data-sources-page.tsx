import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import { AccessGate } from '../access/access-gate.tsx';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { AnsweringSystems } from './answering-systems.tsx';
import { DataSourceState } from './data-source-state.tsx';
import './data-sources.css';
import { FlowValues } from './flow-values.tsx';
import { useDataSources } from './use-data-sources.ts';

export const Route = createLazyRoute('/uam/data-sources')({
  component: () => (
    <AccessGate>
      <DataSourcesPage />
    </AccessGate>
  ),
});

/** What answers each data source, and how it does. */
function DataSourcesPage(): ReactNode {
  const t = useT();
  const format = useFormat();
  const query = useDataSources();
  const columns = useMemo(() => columnsOf(t, format), [t, format]);
  const updated =
    query.dataUpdatedAt === 0
      ? ''
      : t('dataSources.updated', { time: format.clock(query.dataUpdatedAt) });
  return (
    <SpaceBetween size="l">
      <Notes of={query.data ?? []} />
      <DataTable
        id="data-sources"
        label={t('app.nav.dataSources')}
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ source }) => source}
        query={query}
        empty={{ title: t('dataSources.none') }}
        header={
          <PageHeader
            title={t('app.nav.dataSources')}
            description={`${t('dataSources.description')} ${updated}`}
          />
        }
      />
    </SpaceBetween>
  );
}

function Notes({ of }: { readonly of: readonly DataSourceView[] }): ReactNode {
  const t = useT();
  const groups = (['failing', 'delayed'] as const)
    .map((state) => ({ state, those: of.filter((each) => each.state === state) }))
    .filter(({ those }) => those.length > 0);
  if (groups.length === 0) return null;
  return (
    <SpaceBetween size="s">
      {groups.map(({ state, those }) => (
        <Alert
          key={state}
          type={state === 'failing' ? 'error' : 'warning'}
          header={t(`dataSources.${state}`, { count: those.length })}
        >
          {those.map(({ source }) => (
            <div key={source}>
              <NameLink source={source} />
            </div>
          ))}
        </Alert>
      ))}
    </SpaceBetween>
  );
}

function NameLink({ source }: Pick<DataSourceView, 'source'>): ReactNode {
  const t = useT();
  return (
    <PortalLink href={`/uam/data-sources/${source}`}>{t(`dataSources.name.${source}`)}</PortalLink>
  );
}

const columnsOf = (t: Translate, format: Formatters): readonly TableColumn<DataSourceView>[] => [
  {
    id: 'source',
    header: t('dataSources.column.source'),
    cell: ({ source }) => (
      <>
        <NameLink source={source} />
        <Box color="text-body-secondary" fontSize="body-s">
          {t(`dataSources.about.${source}`)}
        </Box>
      </>
    ),
    rowHeader: true,
    always: true,
    minWidth: 210,
  },
  {
    id: 'state',
    header: t('dataSources.column.state'),
    cell: ({ state, fault }) => (
      <>
        <DataSourceState state={state} />
        {fault === null ? null : (
          <Box color="text-body-secondary" fontSize="body-s">
            {t(`dataSources.reason.${fault.reason}`)} · <Time at={fault.since} />
          </Box>
        )}
      </>
    ),
    minWidth: 170,
  },
  {
    id: 'system',
    header: t('dataSources.column.system'),
    cell: (source) => <AnsweringSystems of={source} />,
    minWidth: 220,
  },
  {
    id: 'last-answer',
    header: t('dataSources.column.lastAnswer'),
    cell: ({ lastAnswerAt }) => <Time at={lastAnswerAt} />,
    minWidth: 130,
  },
  {
    id: 'delay',
    header: t('dataSources.column.delay'),
    cell: (source) => (
      <FlowValues
        of={source}
        value={({ delayMs }) => (delayMs === null ? null : format.duration(delayMs))}
      />
    ),
    minWidth: 130,
  },
  {
    id: 'waiting',
    header: t('dataSources.column.waiting'),
    cell: (source) => (
      <FlowValues
        of={source}
        value={({ waitingCount }) => (waitingCount === null ? null : format.number(waitingCount))}
      />
    ),
    minWidth: 120,
  },
];
