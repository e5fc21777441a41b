import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { DevicePlace } from '@deviceportal/contract/devices';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { accuracyWords, positionWords } from '../../locations/place-words.ts';
import { DataTable, type TableQuery } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';

/** The location history, newest first. */
export function TrackTable({
  track,
  actions,
}: {
  readonly track: TableQuery & { readonly data: readonly DevicePlace[] | undefined };
  readonly actions?: ReactNode;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const columns = useMemo(
    (): readonly TableColumn<DevicePlace>[] => [
      {
        id: 'at',
        header: t('locations.column.at'),
        cell: ({ at }) => <Time at={at} style="exact" />,
        rowHeader: true,
      },
      {
        id: 'place',
        header: t('locations.column.place'),
        cell: (place) => positionWords(place, t, format),
      },
      {
        id: 'accuracy',
        header: t('locations.column.accuracy'),
        cell: (place) => accuracyWords(place, t, format),
      },
      {
        id: 'country',
        header: t('devices.column.country'),
        cell: ({ country }) => (country === null ? '-' : format.country(country)),
      },
    ],
    [t, format],
  );
  return (
    <DataTable
      id="device-track"
      label={t('locations.track')}
      header={
        <Header variant="h2" actions={actions}>
          {t('locations.track')}
        </Header>
      }
      variant="container"
      columns={columns}
      rows={track.data}
      rowKey={({ at }) => at}
      query={track}
      empty={{ title: t('locations.none'), body: t('locations.noneBody') }}
      withoutSettings
    />
  );
}
