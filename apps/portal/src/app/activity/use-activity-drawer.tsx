import type { AppLayoutProps } from '@cloudscape-design/components/app-layout';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { loadAllWords } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { refreshWhile } from '../../live/refresh-policy.ts';

const ActivityPanel = lazy(async () => {
  const [module] = await Promise.all([import('../../commands/activity-panel.tsx'), loadAllWords()]);
  return { default: module.ActivityPanel };
});

/** Milliseconds. The data of the page is loaded first. */
const FIRST_ASKED_AFTER_MS = 3_000;

/** The drawer with the viewer’s runs. Null without a permission to read commands. */
export function useActivityDrawer(open: boolean): AppLayoutProps.Drawer | null {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), FIRST_ASKED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const allowed = may('commands:read');
  const running = useQuery(
    api.commands.listRuns.queryOptions(
      { mine: true, active: true, pageSize: 25 },
      {
        enabled: allowed && (due || open),
        refetchInterval: (asked) => refreshWhile((asked.state.data?.rows.length ?? 0) > 0, asked),
      },
    ),
  );
  if (!allowed) return null;
  const count = running.data?.rows.length ?? 0;
  return {
    id: 'activity',
    badge: count > 0,
    trigger: { iconName: 'status-pending' },
    defaultSize: 340,
    resizable: true,
    content: (
      <Suspense fallback={null}>
        <ActivityPanel running={running.data?.rows} />
      </Suspense>
    ),
    ariaLabels: {
      drawerName: t('app.activity.label'),
      triggerButton: t('app.activity.open', { count }),
      closeButton: t('app.activity.close'),
      resizeHandle: t('app.activity.resize'),
    },
  };
}
