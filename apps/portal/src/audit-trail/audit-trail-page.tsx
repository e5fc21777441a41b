import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { AuditEventTable } from './audit-event-table.tsx';
import { AuditFilterTools } from './audit-filter-tools.tsx';
import { AuditTrailActions } from './audit-trail-actions.tsx';
import { ArchiveNotes } from './archive-notes.tsx';
import { NewEvents, useAuditEmptyWords } from './audit-trail-notes.tsx';
import './audit-trail.css';
import { SearchedTo } from './searched-to.tsx';
import { useAuditAddress } from './use-audit-address.ts';
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

function AuditTrail(): ReactNode {
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
  const canBeLive = range.kind === 'relative' && !search.archive;
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
          <TrailHeader
            trail={trail}
            events={events ?? []}
            canBeLive={canBeLive}
            onRefresh={showNew}
          />
        }
        filter={<TrailFilter trail={trail} />}
        footer={<TrailFooter trail={trail} />}
      />
    </>
  );
}

interface TrailProps {
  readonly trail: ReturnType<typeof useAuditTrail>;
}

function TrailHeader({
  trail: { query, filter },
  events,
  canBeLive,
  onRefresh,
}: TrailProps & {
  readonly events: readonly AuditEvent[];
  readonly canBeLive: boolean;
  readonly onRefresh: () => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const search = route.useSearch();
  const address = useAuditAddress();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const updated =
    query.dataUpdatedAt === 0
      ? ''
      : t('auditTrail.page.updated', { time: format.clock(query.dataUpdatedAt) });
  return (
    <PageHeader
      variant="awsui-h1-sticky"
      title={t('app.nav.auditTrail')}
      description={`${t('auditTrail.page.description', { zone })} ${updated}`}
      actions={
        <AuditTrailActions
          filter={filter}
          events={events}
          live={search.live}
          canBeLive={canBeLive}
          checking={search.dialog === 'check'}
          onCheck={address.check}
          onLive={address.live}
          onRefresh={onRefresh}
        />
      }
    />
  );
}

function TrailFilter({ trail: { decoded, asked, filter, range } }: TrailProps): ReactNode {
  const search = route.useSearch();
  const address = useAuditAddress();
  return (
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
  );
}

function TrailFooter({ trail: { query, found, archivedUntil, gaps } }: TrailProps): ReactNode {
  const search = route.useSearch();
  const address = useAuditAddress();
  return (
    <>
      <ArchiveNotes
        searching={search.archive}
        reading={search.archive && query.isFetching}
        until={archivedUntil}
        gaps={gaps}
        onSearch={address.archive}
      />
      <SearchedTo found={found} />
    </>
  );
}
