import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { decodeFilter } from '../ui/filter-codec.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { documentFilterOf } from './document-filter.ts';
import { DocumentFilterBar } from './document-filter-bar.tsx';
import { NewDocument } from './editor/new-document.tsx';
import { NewDocumentButton } from './new-document-button.tsx';
import { useDocumentColumns } from './use-document-columns.tsx';
import './documents.css';

export const Route = createLazyRoute('/documents')({ component: DocumentsPage });

const route = getRouteApi('/documents');

function DocumentsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  if (!may('documents:read')) {
    return <NoAccess area={t('app.nav.documents')} permission="documents:read" />;
  }
  if (!create) return <DocumentList />;
  if (!may('documents:manage')) {
    return <NoAccess area={t('documents.new.title')} permission="documents:manage" />;
  }
  return (
    <NewDocument onCancel={() => void navigate({ search: (old) => ({ ...old, create: false }) })} />
  );
}

function DocumentList(): ReactNode {
  const t = useT();
  const api = useApi();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pageSize = useTablePageSize('documents');
  const query = useMemo(() => decodeFilter(search.q, search.op), [search.q, search.op]);
  const filter = documentFilterOf(query);
  const descending = search.sort.startsWith('-');
  const sort = search.sort.replace('-', '') === 'updatedAt' ? 'updatedAt' : 'name';
  const pages = useKeysetPages(
    JSON.stringify([filter, search.waiting, sort, descending, pageSize]),
  );
  const documents = useQuery(
    api.documents.list.queryOptions(
      {
        ...filter,
        waitingForMe: search.waiting,
        sort,
        descending,
        pageSize,
        cursor: pages.cursor,
      },
      { placeholderData: keepPreviousData },
    ),
  );
  const { refetch } = documents;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const newDocument = useCallback(
    () => void navigate({ search: (old) => ({ ...old, create: true }) }),
    [navigate],
  );
  return (
    <DataTable
      id="documents"
      label={t('app.nav.documents')}
      columns={useDocumentColumns(search.waiting)}
      rows={documents.data?.rows}
      rowKey={(row) => row.name}
      query={documents}
      header={
        <PageHeader
          variant="awsui-h1-sticky"
          title={t('app.nav.documents')}
          description={t('documents.list.description')}
          actions={<NewDocumentButton onClick={newDocument} />}
        />
      }
      filter={<DocumentFilterBar query={query} />}
      empty={
        search.waiting
          ? { title: t('documents.list.nothingWaits'), body: t('documents.list.nothingWaitsBody') }
          : {
              title: t('documents.list.none'),
              body: t('documents.list.noneBody'),
              action: <NewDocumentButton onClick={newDocument} />,
            }
      }
      onClearFilter={
        search.q === ''
          ? undefined
          : () => void navigate({ search: (old) => ({ ...old, q: '' }), replace: true })
      }
      sorting={{ sort, descending }}
      onSort={(sorted) =>
        void navigate({
          search: (old) => ({ ...old, sort: `${sorted.descending ? '-' : ''}${sorted.sort}` }),
          replace: true,
        })
      }
      paging={{ pages, nextCursor: documents.data?.nextCursor }}
    />
  );
}
