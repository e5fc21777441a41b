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
import { AskElevationDialog } from './ask-elevation-dialog.tsx';
import { elevationColumns } from './elevation-columns.tsx';
import { refreshMs } from '../../live/refresh-policy.ts';

export const Route = createLazyRoute('/uam/elevations')({ component: ElevationsPage });

const route = getRouteApi('/uam/elevations');
const shows = ['open', 'all', 'mine'] as const;

/** Roles that are held for a time: who asks, who holds one now, who did. Whoever may not read access sees their own. */
function ElevationsPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const { may } = useViewer();
  const readsAll = may('access:read');
  const { show, ask } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { show?: (typeof shows)[number]; ask?: boolean }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const pageSize = useTablePageSize('elevations');
  const pages = useKeysetPages(JSON.stringify([show, pageSize]));
  const query = useQuery(
    api.access.elevations.list.queryOptions(
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
  const columns = useMemo(() => elevationColumns(t, format, readsAll), [t, format, readsAll]);
  return (
    <>
      <DataTable
        id="elevations"
        label={t('app.nav.elevations')}
        columns={columns}
        rows={query.data?.rows}
        rowKey={({ id }) => id}
        query={query}
        wrapLines
        header={
          <PageHeader
            variant="awsui-h1-sticky"
            title={t('app.nav.elevations')}
            description={t('access.elevation.description')}
            actions={
              <Button variant="primary" onClick={() => change({ ask: true })}>
                {t('access.elevation.ask')}
              </Button>
            }
          />
        }
        filter={
          readsAll ? (
            <SegmentedControl
              label={t('access.elevation.show')}
              selectedId={show}
              options={shows.map((id) => ({ id, text: t(`access.elevation.show.${id}`) }))}
              onChange={({ detail }) =>
                change({ show: shows.find((each) => each === detail.selectedId) ?? 'open' })
              }
            />
          ) : undefined
        }
        empty={{ title: t('access.elevation.none'), body: t('access.elevation.noneBody') }}
        paging={{ pages, nextCursor: query.data?.nextCursor }}
      />
      {ask ? <AskElevationDialog onClose={() => change({ ask: false })} /> : null}
    </>
  );
}
