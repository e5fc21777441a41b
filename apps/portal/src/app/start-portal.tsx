import '@cloudscape-design/global-styles/index.css';
import './app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { createApiClient } from '../api/api-client.ts';
import { createQueryClient } from '../api/create-query-client.ts';
import type { ClientError } from '../api/portal-error-of.ts';
import { ApiProvider } from '../api/use-api.ts';
import { activeCaseId } from '../cases/active-case-id.ts';
import { languageState, loadAllWords, setLanguage } from '../i18n/language-store.ts';
import { configureSignIn } from '../sign-in/configure-sign-in.ts';
import { session } from '../session/session.ts';
import { followOtherTabs } from '../session/sign-out.ts';
import { signInLibrary } from '../session/sign-in-library.ts';
import { storedSubject, storeSubject } from '../session/stored-subject.ts';
import { subjectOf } from '../session/subject-of.ts';
import { refreshWithLiveChannel } from '../live/refresh-policy.ts';
import { connectionAnswered, connectionLost } from '../live/connection-store.ts';
import { loadFirstData } from './first-data.ts';
import { followNewRelease } from './follow-new-release.ts';
import { askForStepUp } from '../step-up/step-up-store.ts';
import { setWhyRefused } from '../ui/error-reaction/why-refused.ts';
import { setNavigate } from '../ui/navigate-to.ts';
import { setProductName } from '../ui/page-title.ts';
import { PendingPage } from '../ui/pending-page.tsx';
import { PENDING_AFTER_MS, router } from './router.ts';
import { showActiveTabs } from './show-active-tabs.ts';
import { askForSignIn, signInDone } from '../session/sign-in-request.ts';

/** Milliseconds. The remaining texts and the library of the sign-in are loaded after the first screen has its data. */
const OTHER_WORDS_AFTER_MS = 6_000;

const WhyRefused = lazy(async () => {
  const [module] = await Promise.all([import('../explanations/why-refused.tsx'), loadAllWords()]);
  return { default: module.WhyRefused };
});

function reactToAll(error: ClientError): void {
  if (error.code === 2001) askForSignIn();
  if (error.code === 2002) connectionLost();
}

/** Renders the portal for a signed-in user, or navigates to the sign-in page. */
export async function startPortal(config: BrowserConfig, element: HTMLElement): Promise<void> {
  await configureSignIn(config);
  setProductName(config.productName);
  const words = setLanguage(languageState().language, 'portal');
  // The error is handled where the texts are used.
  words.catch(() => undefined);
  const signedIn = await session.current();
  if (signedIn === null) {
    const here = location.pathname + location.search + location.hash;
    location.replace(`/signin?next=${encodeURIComponent(here)}`);
    return;
  }
  const queryClient = createQueryClient(reactToAll);
  refreshWithLiveChannel(queryClient);
  const trpcClient = createApiClient({
    idToken: session.idToken,
    caseId: activeCaseId,
    fetch: (...request) => fetch(...request),
    onAnswer: connectionAnswered,
    askForStepUp,
  });
  setNavigate((href) => router.history.push(href));
  showActiveTabs(router);
  setWhyRefused((props) => <WhyRefused {...props} />);
  const subject = subjectOf(signedIn.idToken);
  if (storedSubject() === null) storeSubject(subject);
  followOtherTabs(subject, () => {
    signInDone();
    void queryClient.invalidateQueries();
  });
  // While the browser is offline, queries pause instead of failing, so nothing else would report
  // it.
  addEventListener('offline', connectionLost);
  queryClient.setQueryData(['browser-config'], config);
  const root = createRoot(element);
  const pending = setTimeout(() => root.render(<PendingPage />), PENDING_AFTER_MS);
  try {
    await Promise.all([words, loadFirstData({ client: trpcClient, queryClient })]);
  } finally {
    clearTimeout(pending);
  }
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ApiProvider trpcClient={trpcClient} queryClient={queryClient}>
          <RouterProvider router={router} />
        </ApiProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
  followNewRelease();
  setTimeout(() => {
    loadAllWords().catch(() => undefined);
    // Ending the session must not depend on the network.
    signInLibrary().catch(() => undefined);
  }, OTHER_WORDS_AFTER_MS);
}
