import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { Connectivity } from '@deviceportal/contract/states';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf, wordOf } from '../ui/status-of.tsx';
import { DataTable, type TableQuery } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import type { PlaceGroup } from './place-groups.ts';

export interface PlacesTableProps {
  readonly groups: readonly PlaceGroup[] | undefined;
  readonly query: TableQuery;
  readonly listHref: (group: PlaceGroup) => string;
}

/** Maximum rows of the table. The device list has all of them. */
const SHOWN = 100;
const counted: readonly Connectivity[] = ['online', 'degraded', 'offline', 'unknown', 'never'];

/** The content of the map as a table, for accessibility: locations, counts, and states. */
export function PlacesTable({ groups, query, listHref }: PlacesTableProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const columns = useMemo(
    (): readonly TableColumn<PlaceGroup>[] => [
      {
        id: 'place',
        header: t('locations.page.place'),
        cell: (group) => <PlaceCell group={group} href={listHref(group)} />,
        rowHeader: true,
      },
      {
        id: 'devices',
        header: t('locations.page.devices'),
        cell: ({ count }) => format.number(count),
      },
      ...counted.map((state) => ({
        id: state,
        header: wordOf('connectivity', state, language),
        cell: (group: PlaceGroup) => countCell(group.byConnectivity[state], format),
      })),
      {
        id: 'outside',
        header: t('locations.page.outsideColumn'),
        cell: ({ outside }) => countCell(outside, format),
      },
    ],
    [t, format, language, listHref],
  );
  return (
    <DataTable
      id="map-places"
      label={t('locations.page.table')}
      header={<Header variant="h2">{t('locations.page.table')}</Header>}
      variant="container"
      columns={columns}
      rows={groups?.slice(0, SHOWN)}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('locations.page.none'), body: t('locations.page.noneBody') }}
      withoutSettings
      wrapLines
    />
  );
}

function PlaceCell({
  group,
  href,
}: {
  readonly group: PlaceGroup;
  readonly href: string;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const [only] = group.devices;
  if (only === undefined || group.count > 1)
    return <PortalLink href={href}>{placeName(group, t, format)}</PortalLink>;
  return (
    <span>
      <PortalLink href={`/devices/${only.id}`}>{only.serialNumber ?? only.name}</PortalLink>
      <Box variant="span" color="text-body-secondary" fontSize="body-s">
        {' · '}
        {placeName(group, t, format)}
        {' · '}
      </Box>
      <StatusOf kind="connectivity" value={only.connectivity} />
    </span>
  );
}

const countCell = (count: number, format: Formatters): string =>
  count === 0 ? '-' : format.number(count);

/** "Germany, around 52.5, 13.4"; "Germany and 3 other countries, around 52.5, 13.4". */
function placeName(
  { country, otherCountries, latitude, longitude }: PlaceGroup,
  t: Translate,
  format: Formatters,
): string {
  const most = country === null ? t('locations.page.unknownCountry') : format.country(country);
  return t('locations.page.areaName', {
    country:
      otherCountries === 0
        ? most
        : t('locations.page.severalCountries', { country: most, count: otherCountries }),
    place: `${latitude.toFixed(1)}, ${longitude.toFixed(1)}`,
  });
}
