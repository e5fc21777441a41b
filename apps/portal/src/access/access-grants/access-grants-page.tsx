import Button from '@cloudscape-design/components/button';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useRefresh } from '../../ui/page-slots.tsx';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { RequestAccessGrantDialog } from './request-access-grant-dialog.tsx';
import { accessGrantColumns } from './access-grant-columns.tsx';
import { refreshMs } from '../../live/refresh-policy.ts';

export const Route = createLazyRoute('/uam/temporary-access')({ component: AccessGrantsPage });

const route = getRouteApi('/uam/temporary-access');
const shows = ['open', 'all', 'mine'] as const;

/**
 * Access requests, and temporary access in effect and in the past. Without a permission to read
 * access, only the viewer’s own.
 */
function AccessGrantsPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const { may } = useViewer();
  const readsAll = may('access:read');
  const { show, ask } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { show?: (typeof shows)[number]; ask?: boolean }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const pageSize = useTablePageSize('accessGrants');
  const pages = useKeysetPages(JSON.stringify([show, pageSize]));
  const query = useQuery(
    api.access.accessGrants.list.queryOptions(
      {
        open: readsAll && show === 'open',
        mine: show === 'mine',
        pageSize,
        cursor: pages.cursor,
      },
      { placeholderData: keepPreviousData, refetchInterval: refreshMs.list },
    ),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const columns = useMemo(() => accessGrantColumns(t, format, readsAll), [t, format, readsAll]);
  return (
    <>
      <DataTable
        id="accessGrants"
        label={t('app.nav.accessGrants')}
        columns={columns}
        rows={query.data?.rows}
        rowKey={({ id }) => id}
        query={query}
        wrapLines
        header={
          <PageHeader
            variant="awsui-h1-sticky"
            title={t('app.nav.accessGrants')}
            description={t('access.accessGrant.description')}
            actions={
              <Button variant="primary" onClick={() => change({ ask: true })}>
                {t('access.accessGrant.ask')}
              </Button>
            }
          />
        }
        filter={
          readsAll ? (
            <SegmentedControl
              label={t('access.accessGrant.show')}
              selectedId={show}
              options={shows.map((id) => ({ id, text: t(`access.accessGrant.show.${id}`) }))}
              onChange={({ detail }) =>
                change({ show: shows.find((each) => each === detail.selectedId) ?? 'open' })
              }
            />
          ) : undefined
        }
        empty={{ title: t('access.accessGrant.none'), body: t('access.accessGrant.noneBody') }}
        paging={{ pages, nextCursor: query.data?.nextCursor }}
      />
      {ask ? <RequestAccessGrantDialog onClose={() => change({ ask: false })} /> : null}
    </>
  );
}
