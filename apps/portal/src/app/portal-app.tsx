import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import {
  lazy,
  memo,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { I18nProvider } from '@cloudscape-design/components/i18n';
import { useApi, useApiClient } from '../api/use-api.ts';
import { ApplicationLayout } from './application-layout.tsx';
import { loadAllWords, useComponentMessages, useLanguage } from '../i18n/language-store.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { ACCESS_REQUESTS_PATH } from '../ui/access-request-href.ts';
import { NoRolePage } from './no-role-page.tsx';
import { PageShell } from '../ui/page-shell.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { adoptPreferences, useArePreferencesAdopted } from '../ui/preferences-store.ts';
import { useStepUpPurpose } from '../step-up/step-up-store.ts';
import { setServerNow } from '../ui/time/server-clock.ts';
import { SESSION_FRESH_MS } from '../session/session-fresh-ms.ts';
import { useSignInAsked } from '../session/sign-in-request.ts';
import { ViewerProvider } from '../session/viewer-context.tsx';
import { ToastRegion } from '../ui/toast/toast-region.tsx';
import { setViewerName } from '../session/viewer-name.ts';
import { refreshMs, whileNotLive } from '../live/refresh-policy.ts';

const StepUpDialog = lazy(async () => {
  const [module] = await Promise.all([import('../step-up/step-up-dialog.tsx'), loadAllWords()]);
  return { default: module.StepUpDialog };
});

const SignInAgain = lazy(async () => ({
  default: (await import('./sign-in-again.tsx')).SignInAgain,
}));

const AddPasskeyPage = lazy(async () => {
  const [module] = await Promise.all([import('./add-passkey-page.tsx'), loadAllWords()]);
  return { default: module.AddPasskeyPage };
});

/** The live channel reports changed permissions. Polls only without it. */
const rightsRefreshMs = whileNotLive(refreshMs.list);

/**
 * The root of every page behind the sign-in. Printable pages render without the application layout.
 */
export function PortalApp(): ReactNode {
  const { language, ofComponents } = useShownWords();
  return (
    <I18nProvider locale={language} messages={ofComponents}>
      <Screen />
      <ToastRegion />
      <StepUpLayer />
      <SignInLayer />
    </I18nProvider>
  );
}

/** More messages of components render all components again, which can be interrupted. */
function useShownWords() {
  const language = useLanguage();
  const ofComponents = useComponentMessages('ofComponents');
  const current = useMemo(() => ({ language, ofComponents }), [language, ofComponents]);
  const shown = useDeferredValue(current);
  return shown.language === language ? shown : current;
}

const Screen = memo(function Screen(): ReactNode {
  const forPaper = useRouterState({
    select: ({ location }) => Number((location.search as { readonly print?: unknown }).print) === 1,
  });
  return (
    <PageShell session={SessionProvider} layout={forPaper ? undefined : ApplicationLayout}>
      <Outlet />
    </PageShell>
  );
});

function StepUpLayer(): ReactNode {
  const purpose = useStepUpPurpose();
  return (
    <Suspense fallback={null}>
      {purpose === undefined ? null : <StepUpDialog purpose={purpose} />}
    </Suspense>
  );
}

function SignInLayer(): ReactNode {
  const isAsked = useSignInAsked();
  return <Suspense fallback={null}>{isAsked ? <SignInAgain /> : null}</Suspense>;
}

/** Loads the session, and provides permissions and preferences to the page. */
function SessionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const api = useApi();
  const client = useApiClient();
  const query = useQuery(
    api.session.get.queryOptions(undefined, {
      staleTime: SESSION_FRESH_MS,
      // The live channel sends nothing to users without a role.
      refetchInterval: ({ state }) =>
        state.data?.grants.length === 0 ? refreshMs.computed : rightsRefreshMs(),
    }),
  );
  const { data } = query;
  // Until the user continues, because the recovery codes are shown once.
  const [addsPasskey, setAddsPasskey] = useState(false);
  if (data?.mustAddPasskey === true && !addsPasskey) setAddsPasskey(true);
  const isReady = useArePreferencesAdopted();
  const asksForAccess = useRouterState({
    select: ({ location }) => location.pathname === ACCESS_REQUESTS_PATH,
  });
  useEffect(() => {
    if (data === undefined) return;
    setServerNow(data.serverNow);
    setViewerName(data.username);
  }, [data]);
  // Runs before the first paint and before a page loads its data.
  useLayoutEffect(() => {
    if (data !== undefined) {
      adoptPreferences(data.preferences, (changed) =>
        client.session.savePreferences.mutate(changed),
      );
    }
  }, [data, client]);
  if (data === undefined || !isReady) {
    return query.error === null ? (
      <PendingPage />
    ) : (
      <main className="dp-alone">
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      </main>
    );
  }
  return (
    <ViewerProvider detail={data}>
      {addsPasskey ? (
        <Suspense fallback={<PendingPage />}>
          <AddPasskeyPage
            onAdded={async () => {
              await query.refetch();
              setAddsPasskey(false);
            }}
          />
        </Suspense>
      ) : data.grants.length > 0 || (data.admitted && asksForAccess) ? (
        children
      ) : (
        <NoRolePage />
      )}
    </ViewerProvider>
  );
}
