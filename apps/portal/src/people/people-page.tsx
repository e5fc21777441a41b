import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import type { Person } from '@deviceportal/contract/people';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { useViewer } from '../session/viewer-context.tsx';

export const Route = createLazyRoute('/people')({ component: PeoplePage });

const TEXT_LIMIT = 200;

function PeoplePage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('people:read') && !may('devices:read'))
    return <NoAccess area={t('app.nav.people')} permission="people:read" />;
  return <PeopleList />;
}

/** Searches people. The search text is personal data and therefore not part of the address. */
function PeopleList(): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed).trim();
  const pageSize = useTablePageSize('people');
  const pages = useKeysetPages(JSON.stringify([text, pageSize]));
  const query = useQuery(
    api.people.list.queryOptions(
      { text, pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <DataTable
      id="people"
      label={t('app.nav.people')}
      columns={usePersonColumns()}
      rows={query.data?.rows}
      rowKey={(person) => person.id}
      query={query}
      header={
        <PageHeader
          variant="awsui-h1-sticky"
          title={t('app.nav.people')}
          description={t('people.description')}
          actions={
            may('people:manage') ? (
              <Button
                href="/imports?kind=people"
                onFollow={(event) => {
                  event.preventDefault();
                  navigateTo('/imports?kind=people');
                }}
              >
                {t('people.import')}
              </Button>
            ) : undefined
          }
        />
      }
      filter={
        <div className="dp-filter">
          <Input
            type="search"
            value={typed}
            disabled={!may('people:read')}
            ariaLabel={t('people.picker.placeholder')}
            placeholder={t('people.picker.placeholder')}
            onChange={({ detail }) => setTyped(detail.value.slice(0, TEXT_LIMIT))}
          />
        </div>
      }
      empty={{ title: t('people.none'), body: t('people.noneBody') }}
      onClearFilter={text === '' ? undefined : () => setTyped('')}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
    />
  );
}

function usePersonColumns(): readonly TableColumn<Person>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('people.name'),
        rowHeader: true,
        always: true,
        width: 220,
        cell: ({ id, name }) => <PortalLink href={`/people/${id}`}>{name}</PortalLink>,
      },
      { id: 'email', header: t('people.email'), width: 260, cell: ({ email }) => email ?? '-' },
      { id: 'phone', header: t('people.phone'), width: 180, cell: ({ phone }) => phone ?? '-' },
      {
        id: 'devices',
        header: t('people.devices'),
        numeric: true,
        width: 110,
        cell: ({ deviceCount }) => format.number(deviceCount),
      },
      {
        id: 'country',
        header: t('people.country'),
        width: 160,
        cell: ({ country }) => (country === null ? '-' : format.country(country)),
      },
    ],
    [t, format],
  );
}
