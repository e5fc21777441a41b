import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { encodeTimeRange, type TimeRange } from '../ui/time/time-range.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { AuditEventTable } from './audit-event-table.tsx';
import { AuditFilterTools } from './audit-filter-tools.tsx';
import { AuditTrailActions } from './audit-trail-actions.tsx';
import { ColdNotes } from './cold-notes.tsx';
import { NewEvents, useAuditEmptyWords } from './audit-trail-notes.tsx';
import './audit-trail.css';
import { SearchedTo } from './searched-to.tsx';
import { useAuditPanel } from './use-audit-panel.tsx';
import { AUDIT_TABLE, useAuditTrail } from './use-audit-trail.ts';
import { useNearestEvent } from './use-nearest-event.ts';
import { useLiveTail } from './use-live-tail.ts';

export const Route = createLazyRoute('/audit-trail/device')({ component: AuditTrailPage });

const route = getRouteApi('/audit-trail/device');

function AuditTrailPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('audit-trail:read')) {
    return <NoAccess area={t('app.nav.auditTrail')} permission="audit-trail:read" />;
  }
  return <AuditTrail />;
}

/** Changes of the page's address. The filter bar takes over the short forms that links use. */
function useAuditAddress() {
  const navigate = route.useNavigate();
  return useMemo(() => {
    const change = (part: Readonly<Record<string, string | boolean>>): void =>
      void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
    return {
      filter: (query: FilterQuery) =>
        change({ q: encodeFilter(query), device: '', actor: '', ref: '', sel: '' }),
      range: (range: TimeRange) => change({ t: encodeTimeRange(range), sel: '' }),
      live: (live: boolean) => change({ live }),
      select: (sel: string) => change({ sel }),
      cold: (cold: boolean) => change({ cold, sel: '' }),
      flat: (flat: boolean) => change({ flat }),
      nameView: (view: SavedView) => change({ view: view.id }),
      view: (view: SavedView | null) =>
        change({
          q: view?.search['q'] ?? '',
          t: view?.search['t'] ?? '',
          view: view?.id ?? '',
          ...{ device: '', actor: '', ref: '', sel: '' },
        }),
      check: (isOpen: boolean) => change({ dialog: isOpen ? 'check' : '' }),
    };
  }, [navigate]);
}

function AuditTrail(): ReactNode {
  const t = useT();
  const format = useFormat();
  const search = route.useSearch();
  const address = useAuditAddress();
  const trail = useAuditTrail(search);
  const { query, found, pages, filter, decoded, asked, range, refresh } = trail;
  const events = asked.unknown ? [] : found.rows;
  const isLooking = found.isRunning && events?.length === 0;
  const open = useAuditPanel({ selectedId: search.sel, events, onSelect: address.select });
  const { goFirst } = pages;
  const showNew = useCallback(() => {
    goFirst();
    refresh();
  }, [goFirst, refresh]);
  useRefresh(showNew);
  const canBeLive = range.kind === 'relative' && !search.cold;
  const tail = useLiveTail({
    enabled: search.live && canBeLive,
    filter,
    shown: events,
    isFirstPage: pages.pageNumber === 1,
    onShow: showNew,
  });
  const isFiltered = decoded.query.tokens.length > 0;
  const nearest = useNearestEvent(
    filter,
    events?.length === 0 && !asked.unknown && found.searchedTo === null,
  );
  const empty = useAuditEmptyWords({
    unknownDevice: asked.unknown ? decoded.device : null,
    range,
    nearestAt: nearest?.at,
    isUnfinished: found.searchedTo !== null,
    onRange: address.range,
    onClear: isFiltered ? () => address.filter({ tokens: [], operation: 'and' }) : undefined,
  });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const updated =
    query.dataUpdatedAt === 0
      ? ''
      : t('auditTrail.page.updated', { time: format.clock(query.dataUpdatedAt) });
  return (
    <>
      <NewEvents
        tail={tail}
        onShow={() => {
          showNew();
          window.scrollTo({ top: 0 });
        }}
      />
      <AuditEventTable
        id={AUDIT_TABLE}
        variant="full-page"
        events={events}
        query={{ ...query, isPending: (query.isPending || isLooking) && !asked.unknown }}
        onOpen={open}
        folds={!search.flat}
        empty={empty}
        paging={{
          pages,
          nextCursor: found.isRunning ? null : query.data?.nextCursor,
          disabled: query.isPlaceholderData,
        }}
        header={
          <PageHeader
            variant="awsui-h1-sticky"
            title={t('app.nav.auditTrail')}
            description={`${t('auditTrail.page.description', { zone })} ${updated}`}
            actions={
              <AuditTrailActions
                filter={filter}
                events={events ?? []}
                live={search.live}
                canBeLive={canBeLive}
                checking={search.dialog === 'check'}
                onCheck={address.check}
                onLive={address.live}
                onRefresh={showNew}
              />
            }
          />
        }
        filter={
          <AuditFilterTools
            decoded={decoded}
            device={asked.device}
            filter={filter}
            range={range}
            onFilter={address.filter}
            onRange={address.range}
            viewId={search.view}
            onView={address.view}
            onSavedView={address.nameView}
            flat={search.flat}
            onFlat={address.flat}
          />
        }
        footer={
          <>
            <ColdNotes
              searching={search.cold}
              reading={search.cold && query.isFetching}
              until={trail.coldUntil}
              gaps={trail.gaps}
              onSearch={address.cold}
            />
            <SearchedTo found={found} />
          </>
        }
      />
    </>
  );
}
