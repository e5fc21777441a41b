import Header from '@cloudscape-design/components/header';
import Toggle from '@cloudscape-design/components/toggle';
import { useMemo, useState, type ReactNode } from 'react';
import type { Connectivity, DeviceLifecycle } from '@deviceportal/contract/states';
import type { FactDeviceHistory, DeviceHistory } from '@deviceportal/contract/device-history';
import { useFormat } from '../../i18n/format-values.ts';
import type { MessageKey } from '../../i18n/message-key.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable, type TableQuery } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { findingFactsOf, PROBLEM } from './finding-facts.ts';

export interface HistoryFactsProps {
  readonly query: TableQuery & { readonly data: DeviceHistory | undefined };
  readonly deviceId: string;
  /** The control that picks the time. */
  readonly moment: ReactNode;
}

type Row = Omit<FactDeviceHistory, 'fact'> & {
  readonly fact: FactDeviceHistory['fact'] | typeof PROBLEM;
};

/** A row for each attribute. At first, only those that differ. */
export function HistoryFacts({ query, deviceId, moment }: HistoryFactsProps): ReactNode {
  const t = useT();
  const [onlyDifferent, setOnlyDifferent] = useState(true);
  const columns = useFactColumns(deviceId);
  const rows: readonly Row[] | undefined = query.data && [
    ...findingFactsOf(query.data.findings),
    ...query.data.facts,
  ];
  const { changes = [], more = false } = query.data?.packages ?? {};
  return (
    <DataTable
      id="device-then"
      label={t('devices.then.title')}
      header={
        <Header
          variant="h2"
          description={t('devices.then.about')}
          actions={
            <Toggle
              checked={onlyDifferent}
              onChange={({ detail }) => setOnlyDifferent(detail.checked)}
            >
              {t('devices.then.onlyDifferent')}
            </Toggle>
          }
        >
          {t('devices.then.title')}
        </Header>
      }
      filter={moment}
      variant="container"
      columns={columns}
      rows={rows?.filter(({ differs, isKnown }) => !onlyDifferent || differs || !isKnown)}
      rowKey={({ fact, name }) => `${fact} ${name}`}
      query={query}
      empty={{ title: t('devices.then.same'), body: t('devices.then.sameBody') }}
      footer={
        changes.length === 0 ? null : (
          <PortalLink href={`/devices/${deviceId}?tab=versions`}>
            {t(more ? 'devices.then.packagesMore' : 'devices.then.packages', {
              count: changes.length,
            })}
          </PortalLink>
        )
      }
      withoutSettings
      wrapLines
    />
  );
}

function useFactColumns(deviceId: string): readonly TableColumn<Row>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'what',
        header: t('devices.then.what'),
        cell: ({ fact, name }) => {
          if (fact === 'software') return name;
          if (fact === PROBLEM) {
            const finding = t(`devices.finding.${name}` as MessageKey);
            return t('devices.then.problem', { finding });
          }
          return t(factNames[fact] ?? (`devices.column.${fact}` as MessageKey));
        },
        rowHeader: true,
      },
      {
        id: 'earlier',
        header: t('devices.then.then'),
        cell: (row) =>
          row.isKnown ? <Value row={row} value={row.earlier} /> : t('devices.then.unknown'),
      },
      {
        id: 'now',
        header: t('devices.then.now'),
        cell: (row) => <Value row={row} value={row.now} />,
      },
      {
        id: 'changed',
        header: t('devices.then.changed'),
        cell: ({ changedAt, changedBy }) =>
          changedAt === null ? (
            '-'
          ) : (
            <>
              <PortalLink href={`/audit-trail/device?device=${deviceId}`}>
                <Time at={changedAt} style="absolute" />
              </PortalLink>{' '}
              {changedBy?.kind === 'user' ? t('devices.then.by', { name: changedBy.name }) : null}
            </>
          ),
      },
    ],
    [t, deviceId],
  );
}

const factNames: Readonly<Record<string, MessageKey>> = {
  connectivity: 'devices.column.status',
  place: 'devices.then.fact.place',
  timeZone: 'devices.then.fact.timeZone',
};

function Value({ row, value }: { readonly row: Row; readonly value: string | null }): ReactNode {
  const t = useT();
  const format = useFormat();
  if (row.fact === PROBLEM) return t(value === null ? 'devices.then.notOpen' : 'devices.then.open');
  if (value === null) return t('devices.then.nothing');
  switch (row.fact) {
    case 'connectivity':
      return <StatusOf kind="connectivity" value={value as Connectivity} />;
    case 'lifecycle':
      return <StatusOf kind="deviceLifecycle" value={value as DeviceLifecycle} />;
    case 'country':
      return format.country(value);
    default:
      return value;
  }
}
