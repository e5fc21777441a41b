import { useMemo, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { devicesWith } from './device-links.ts';
import { runsEndedOn } from './runs-ended-on.ts';
import type { TrendDay } from './trend-days.ts';

const known = { isPending: false, error: null, refetch: () => undefined };

/**
 * The values of the trends by day. Each links to its list: the runs that ended on the day, and for
 * the newest day the devices, whose past states are not listed.
 */
export function TrendTable({ days }: { readonly days: readonly TrendDay[] }): ReactNode {
  const t = useT();
  return (
    <DataTable
      id="home-trends"
      label={t('home.trend.title')}
      variant="embedded"
      withoutSettings
      columns={useTrendColumns(days[0]?.day)}
      rows={days}
      rowKey={({ day }) => day}
      query={known}
      empty={{ title: t('home.trend.none') }}
    />
  );
}

function useTrendColumns(newest: string | undefined): readonly TableColumn<TrendDay>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const share = (
      id: 'online' | 'withFindings',
      header: string,
      href: string,
    ): TableColumn<TrendDay> => ({
      id,
      header,
      numeric: true,
      cell: (row) => {
        const value = row[id];
        if (value === null) return '-';
        const words = format.percent(value);
        return row.day === newest ? <PortalLink href={href}>{words}</PortalLink> : words;
      },
    });
    const results = (id: 'succeeded' | 'failed'): TableColumn<TrendDay> => ({
      id,
      header: t(`home.trend.${id}`),
      numeric: true,
      cell: (row) =>
        row[id] === 0 ? (
          '0'
        ) : (
          <PortalLink href={runsEndedOn(row.day)}>{format.number(row[id])}</PortalLink>
        ),
    });
    return [
      { id: 'day', header: t('home.trend.day'), rowHeader: true, cell: ({ day }) => day },
      share('online', t('home.trend.online'), devicesWith('connectivity', '=', 'online')),
      share('withFindings', t('home.trend.findings'), devicesWith('finding', '=', 'any')),
      results('succeeded'),
      results('failed'),
    ];
  }, [t, format, newest]);
}
