import type { AppLayoutProps } from '@cloudscape-design/components/app-layout';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { loadAllWords } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { useWatch } from '../live/use-watch.ts';
import { refreshMs } from '../live/refresh-policy.ts';

const NotificationPanel = lazy(async () => {
  const [module] = await Promise.all([import('./notification-panel.tsx'), loadAllWords()]);
  return { default: module.NotificationPanel };
});

/** Milliseconds. The data of the page is loaded first. */
const FIRST_ASKED_AFTER_MS = 3_000;

/**
 * The notification drawer and the number of unread notifications: updated live, and polled every
 * minute.
 */
export function useNotificationDrawer(open: boolean): {
  readonly unread: number;
  readonly drawer: AppLayoutProps.Drawer;
} {
  const t = useT();
  const api = useApi();
  const queries = useQueryClient();
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), FIRST_ASKED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data: unread } = useQuery(
    api.notifications.countUnread.queryOptions(undefined, {
      enabled: due || open,
      refetchInterval: refreshMs.totals,
    }),
  );
  // A notification can concern the viewer’s permissions or an access request.
  const askRights = useCallback(() => {
    void queries.invalidateQueries(api.access.accessGrants.pathFilter());
    void queries.invalidateQueries(api.session.get.queryFilter());
  }, [queries, api]);
  useWatch(due ? { kind: 'notifications' } : null, (change) => {
    if (change.kind !== 'notifications') return;
    void queries.invalidateQueries(api.notifications.pathFilter());
    askRights();
  });
  // Earlier notifications only count as unread and are not announced.
  const known = useRef(0);
  useEffect(() => {
    if (unread === undefined || unread === known.current) return;
    if (unread > known.current) askRights();
    known.current = unread;
  }, [unread, askRights]);
  return {
    unread: unread ?? 0,
    drawer: {
      id: 'notifications',
      defaultSize: 380,
      resizable: true,
      content: (
        <Suspense fallback={null}>
          <NotificationPanel unread={unread ?? 0} />
        </Suspense>
      ),
      ariaLabels: {
        drawerName: t('app.bell.label'),
        closeButton: t('app.bell.close'),
        resizeHandle: t('app.bell.resize'),
      },
    },
  };
}
