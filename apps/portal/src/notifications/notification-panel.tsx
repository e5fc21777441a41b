import Button from '@cloudscape-design/components/button';
import Box from '@cloudscape-design/components/box';
import Drawer from '@cloudscape-design/components/drawer';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { notificationPath, notificationWords } from '@deviceportal/contract/notification-words';
import type { Notification } from '@deviceportal/contract/notifications';
import { useApi } from '../api/use-api.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import './notification-panel.css';

const PAGE = 25;
const MOST = 100;

/** Notifications of the viewer, newest first, and their preferences. */
export function NotificationPanel({ unread }: { readonly unread: number }): ReactNode {
  const t = useT();
  const [shows, setShows] = useState<'news' | 'settings'>('news');
  return (
    <Drawer
      header={<h2>{t(shows === 'news' ? 'app.bell.label' : 'notifications.settings.title')}</h2>}
    >
      {shows === 'news' ? (
        <News unread={unread} onSettings={() => setShows('settings')} />
      ) : (
        <NotificationSettings onBack={() => setShows('news')} />
      )}
    </Drawer>
  );
}

function News({
  unread,
  onSettings,
}: {
  readonly unread: number;
  readonly onSettings: () => void;
}): ReactNode {
  const t = useT();
  const [pageSize, setPageSize] = useState(PAGE);
  const api = useApi();
  const query = useQuery(
    api.notifications.list.queryOptions({ pageSize }, { placeholderData: keepPreviousData }),
  );
  const read = useMarkRead();
  const hasMore = query.data?.nextCursor !== null && pageSize < MOST;
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="xs">
        <Button iconName="settings" onClick={onSettings}>
          {t('notifications.settings.open')}
        </Button>
        {unread === 0 ? null : (
          <Button onClick={() => read(null)}>{t('notifications.readAll')}</Button>
        )}
      </SpaceBetween>
      {query.error === null ? null : (
        <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
      )}
      {query.data?.rows.length === 0 ? (
        <Box color="text-body-secondary">{t('notifications.none')}</Box>
      ) : null}
      <ul className="dp-news">
        {query.data?.rows.map((one) => (
          <NewsItem key={one.id} one={one} onOpen={() => read([one.id])} />
        ))}
      </ul>
      {query.data !== undefined && hasMore ? (
        <Button onClick={() => setPageSize((size) => Math.min(MOST, size + PAGE))}>
          {t('notifications.more')}
        </Button>
      ) : null}
    </SpaceBetween>
  );
}

function NewsItem({
  one,
  onOpen,
}: {
  readonly one: Notification;
  readonly onOpen: () => void;
}): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { title, body } = notificationWords(one.kind, one.facts, language);
  const isUnread = one.readAt === null;
  return (
    <li className={isUnread ? 'dp-news-item dp-news-unread' : 'dp-news-item'}>
      {/* Marked as read when opened, in this tab or another. */}
      <div onClickCapture={isUnread ? onOpen : undefined}>
        <PortalLink href={notificationPath(one.kind, one.facts)} variant="primary">
          {title}
        </PortalLink>
      </div>
      {body === '' ? null : <Box variant="p">{body}</Box>}
      <Box variant="small" color="text-body-secondary">
        <Time at={one.at} />
        {isUnread ? ` · ${t('notifications.unread')}` : ''}
      </Box>
    </li>
  );
}

function useMarkRead(): (ids: string[] | null) => void {
  const api = useApi();
  const queries = useQueryClient();
  const mark = useMutation(
    api.notifications.markRead.mutationOptions({
      onError: useErrorFlash(),
      onSettled: () => queries.invalidateQueries(api.notifications.pathFilter()),
    }),
  );
  return (ids) => mark.mutate({ ids });
}
