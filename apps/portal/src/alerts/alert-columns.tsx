import Button from '@cloudscape-design/components/button';
import type { AlertRow } from '@deviceportal/contract/alerts';
import { PortalLink } from '../ui/portal-link.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { AlertSeverity } from './alert-severity.tsx';
import { conditionWords, countWords, devicesHref, type Words } from './alert-words.ts';

export interface AlertColumnsProps extends Words {
  readonly state: 'firing' | 'resolved';
  readonly onDeliveries: (alert: AlertRow) => void;
}

export function alertColumns(words: AlertColumnsProps): TableColumn<AlertRow>[] {
  const { t, state, onDeliveries } = words;
  return [
    {
      id: 'rule',
      header: t('alerts.column.rule'),
      cell: ({ ruleName }) => ruleName,
      rowHeader: true,
      always: true,
      minWidth: 180,
    },
    {
      id: 'severity',
      header: t('alerts.column.severity'),
      cell: ({ severity }) => <AlertSeverity severity={severity} />,
      minWidth: 120,
    },
    {
      id: 'devices',
      header: t('alerts.column.devices'),
      cell: (alert) => (
        <PortalLink href={devicesHref(alert.filter, alert.condition)}>
          {countWords(alert, words)}
        </PortalLink>
      ),
      minWidth: 140,
    },
    {
      id: 'condition',
      header: t('alerts.column.condition'),
      cell: (alert) => conditionWords(alert, words),
      minWidth: 220,
    },
    {
      id: 'started',
      header: t('alerts.column.started'),
      cell: ({ startedAt }) => <Time at={startedAt} />,
      minWidth: 150,
    },
    ...(state === 'firing' ? [] : resolvedColumns(words)),
    {
      id: 'cases',
      header: t('app.nav.cases'),
      cell: ({ caseIds }) =>
        caseIds.length === 0
          ? '-'
          : caseIds.map((id, index) => (
              <div key={id}>
                <PortalLink href={`/cases/${id}`}>
                  {t('alerts.caseNumber', { number: index + 1 })}
                </PortalLink>
              </div>
            )),
      optional: true,
      minWidth: 100,
    },
    {
      id: 'deliveries',
      header: t('alerts.column.deliveries'),
      cell: (alert) => (
        <Button
          variant="inline-link"
          ariaLabel={t('alerts.deliveries.of', { name: alert.ruleName })}
          onClick={() => onDeliveries(alert)}
        >
          {alert.failedDeliveries === 0
            ? t('alerts.deliveries.view')
            : t('alerts.deliveries.failed', { count: alert.failedDeliveries })}
        </Button>
      ),
      minWidth: 120,
    },
  ];
}

const resolvedColumns = ({ t, format }: AlertColumnsProps): TableColumn<AlertRow>[] => [
  {
    id: 'resolved',
    header: t('alerts.column.resolved'),
    cell: ({ resolvedAt }) => (resolvedAt === null ? '-' : <Time at={resolvedAt} />),
    minWidth: 150,
  },
  {
    id: 'reason',
    header: t('alerts.column.reason'),
    cell: ({ reason }) => (reason === null ? '-' : t(`alerts.reason.${reason}`)),
    minWidth: 160,
  },
  {
    id: 'peak',
    header: t('alerts.column.peak'),
    cell: ({ peak }) => format.number(peak),
    numeric: true,
    optional: true,
    minWidth: 100,
  },
];
