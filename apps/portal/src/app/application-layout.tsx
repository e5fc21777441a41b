import type { AppLayoutProps } from '@cloudscape-design/components/app-layout';
import AppLayoutToolbar from '@cloudscape-design/components/app-layout-toolbar';
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import SideNavigation, {
  type SideNavigationProps,
} from '@cloudscape-design/components/side-navigation';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouterState } from '@tanstack/react-router';
import { lazy, memo, Suspense, useCallback, useRef, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { AccessGrantStrip } from '../access/access-grants/access-grant-strip.tsx';
import { CaseDialogLayer, CaseStrip } from '../cases/case-strip.tsx';
import { loadAllWords } from '../i18n/language-store.ts';
import { lazyWithListWords } from '../i18n/lazy-with-list-words.tsx';
import { useT, type Translate } from '../i18n/use-t.ts';
import { loadConfig } from '../session/load-config.ts';
import { useNotificationDrawer } from '../notifications/use-notification-drawer.tsx';
import { useActivityDrawer } from './activity/use-activity-drawer.tsx';
import { usePalette } from '../ui/palette-store.ts';
import { useFlashMessages } from '../ui/flash-store.ts';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { placeOf, visibleGroups } from '../ui/navigation.ts';
import { usePageSlot } from '../ui/page-slots.tsx';
import { ChunkAlerts } from './chunk-alerts.tsx';
import { LiveUpdatesOff, OfflineBanner, SessionEndBanner } from './app-alerts.tsx';
import { useShortcutListOpen } from './shortcuts/shortcut-list-store.ts';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import { useNavigationOpen } from './use-navigation-open.ts';
import { useOpenDrawer } from './use-open-drawer.ts';
import { usePortalShortcuts } from './use-portal-shortcuts.ts';
import { useViewer } from '../session/viewer-context.tsx';

const HELP = 'help';
const NOTIFICATIONS = 'notifications';

const PageHelp = lazy(async () => {
  const [module] = await Promise.all([import('../help/page-help.tsx'), loadAllWords()]);
  return { default: module.PageHelp };
});
const Notifications = lazy(async () => ({
  default: (await import('./notifications.tsx')).Notifications,
}));
const CommandPalette = lazyWithListWords(
  async () => (await import('./command-palette/command-palette.tsx')).CommandPalette,
);
const ShortcutList = lazyWithListWords(
  async () => (await import('./shortcuts/shortcut-list.tsx')).ShortcutList,
);

/** Top bar, side navigation, breadcrumbs, notifications, help panel, and split panel of a page. */
export function ApplicationLayout({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useT();
  const help = usePageSlot('help');
  const splitPanel = usePageSlot('splitPanel');
  const splitPanelOpen = usePageSlot('splitPanelOpen');
  const onSplitPanelToggle = usePageSlot('onSplitPanelToggle');
  const hasMessages = useFlashMessages().length > 0;
  const navigation = useNavigationOpen();
  const layout = useRef<AppLayoutProps.Ref>(null);
  const drawer = useOpenDrawer(layout);
  const { toggle } = drawer;
  const activity = useActivityDrawer(drawer.id === 'activity');
  const bell = useNotificationDrawer(drawer.id === NOTIFICATIONS);
  const { pathname } = useLocation();
  const config = useQuery({ queryKey: ['browser-config'], queryFn: loadConfig });
  // The resolved path, because the previous page’s heading stays until then.
  useFocusOnNavigation(
    useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? pathname }),
  );
  const openBell = useCallback(() => toggle(NOTIFICATIONS), [toggle]);
  usePortalShortcuts({ toggleHelp: useCallback(() => toggle(HELP), [toggle]) });
  return (
    <>
      <div id="top-bar">
        <SkipLink />
        <div className="dp-top">
          {config.data === undefined ? null : (
            <TopBar config={config.data} unread={bell.unread} onBell={openBell} />
          )}
          {config.data === undefined ? null : <EnvironmentBadge config={config.data} />}
        </div>
        <AccessGrantStrip />
        <CaseStrip />
      </div>
      <AppLayoutToolbar
        ref={layout}
        headerSelector="#top-bar"
        contentType={splitPanel === null ? 'default' : 'table'}
        navigation={<Navigation pathname={pathname} />}
        navigationOpen={navigation.isOpen}
        onNavigationChange={({ detail }) => navigation.setOpen(detail.open)}
        breadcrumbs={<Breadcrumbs pathname={pathname} />}
        notifications={
          hasMessages ? (
            <Suspense fallback={null}>
              <Notifications />
            </Suspense>
          ) : null
        }
        stickyNotifications
        drawers={[helpDrawer(t, help), ...(activity === null ? [] : [activity]), bell.drawer]}
        activeDrawerId={drawer.id}
        onDrawerChange={({ detail }) => drawer.follow(detail.activeDrawerId)}
        // Always set: AppLayout decides at the first render whether the prop is controlled.
        splitPanelOpen={splitPanelOpen}
        onSplitPanelToggle={({ detail }) => onSplitPanelToggle?.(detail.open)}
        {...(splitPanel === null ? {} : { splitPanel })}
        ariaLabels={{
          navigation: t('app.nav.label'),
          navigationToggle: t('app.nav.toggle'),
          navigationClose: t('app.nav.toggle'),
          notifications: t('app.notifications'),
        }}
        content={
          <div id="main-content" tabIndex={-1}>
            <div className="dp-alerts">
              <OfflineBanner />
              <ChunkAlerts />
              <SessionEndBanner />
              <LiveUpdatesOff />
            </div>
            {children}
          </div>
        }
      />
      <Layers />
      <CaseDialogLayer />
    </>
  );
}

/**
 * The name of the installation, so that users do not confuse production with a test installation.
 */
function EnvironmentBadge({ config }: { readonly config: BrowserConfig }): ReactNode {
  const t = useT();
  const { environment, region } = config;
  const name = t('app.top.environmentName', { name: environment, label: environment });
  return (
    <section className="dp-environment" aria-label={t('app.top.environment')}>
      {environment === 'local' ? name : `${name} · ${region}`}
    </section>
  );
}

function helpDrawer(t: Translate, help: ReactNode): AppLayoutProps.Drawer {
  return {
    id: HELP,
    trigger: { iconName: 'status-info' },
    content: <Suspense fallback={null}>{help ?? <PageHelp />}</Suspense>,
    ariaLabels: {
      drawerName: t('app.help.label'),
      triggerButton: t('app.help.label'),
      closeButton: t('app.help.close'),
    },
  };
}

/** The command palette and shortcut list, loaded when first opened. */
function Layers(): ReactNode {
  const palette = usePalette();
  const shortcutListOpen = useShortcutListOpen();
  return (
    <Suspense fallback={null}>
      {palette.open ? <CommandPalette /> : null}
      {shortcutListOpen ? <ShortcutList /> : null}
    </Suspense>
  );
}

const Navigation = memo(function Navigation({
  pathname,
}: {
  readonly pathname: string;
}): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return (
    <SideNavigation
      activeHref={placeOf(pathname)?.href ?? pathname}
      onFollow={(event) => followWithRouter(event)}
      items={visibleGroups(may).flatMap((group): SideNavigationProps.Item[] => {
        const links = group.places.map((place) => ({
          type: 'link' as const,
          text: t(place.key),
          href: place.href,
        }));
        return group.key === null
          ? links
          : [{ type: 'section-group' as const, title: t(group.key), items: links }];
      })}
    />
  );
});

const Breadcrumbs = memo(function Breadcrumbs({
  pathname,
}: {
  readonly pathname: string;
}): ReactNode {
  const t = useT();
  const breadcrumbs = usePageSlot('breadcrumbs');
  const place = placeOf(pathname);
  const home = { text: t('app.nav.home'), href: '/' };
  const area =
    place === undefined || place.href === '/' ? [] : [{ text: t(place.key), href: place.href }];
  const items = [home, ...(breadcrumbs.length > 0 ? breadcrumbs : area)];
  return (
    <BreadcrumbGroup
      ariaLabel={t('app.breadcrumbs')}
      items={items}
      onFollow={(event) => followWithRouter(event)}
    />
  );
});
