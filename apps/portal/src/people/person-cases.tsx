import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useCaseColumns } from '../cases/use-case-columns.tsx';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';

const SHOWN = 5;

/** Earlier cases of the person. */
export function PersonCases({ personId }: { readonly personId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.cases.list.queryOptions({ personId, pageSize: SHOWN }));
  return (
    <DataTable
      id="person-cases"
      label={t('app.nav.cases')}
      variant="container"
      withoutSettings
      wrapLines
      columns={useCaseColumns()}
      rows={query.data?.rows}
      rowKey={(row) => row.id}
      query={query}
      empty={{ title: t('people.noCases') }}
      header={
        <Header
          variant="h2"
          actions={
            <PortalLink href={`/cases?show=all&person=${personId}`}>
              {t('people.allCases')}
            </PortalLink>
          }
        >
          {t('app.nav.cases')}
        </Header>
      }
    />
  );
}
