import '@cloudscape-design/global-styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { whenReplaced } from '../chunks/chunk-state.ts';
import { loadNewRelease } from '../chunks/is-release-replaced.ts';
import { PageShell } from '../ui/page-shell.tsx';
import { setProductName } from '../ui/page-title.ts';
import { configureSignIn } from './configure-sign-in.ts';
import { nextPath } from '../session/next-path.ts';
import { listenToTabs } from '../session/session-channel.ts';
import { session } from '../session/session.ts';
import { signInLayer } from '../session/sign-in-layer.ts';
import { signInLibrary } from '../session/sign-in-library.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { SignInPage } from './sign-in-page.tsx';

export interface StartSignInOptions {
  readonly config: BrowserConfig;
  readonly element: HTMLElement;
  /** Loads the portal’s code. Called when a code is sent, to have it ready for the sign-in. */
  readonly loadPortal: () => Promise<{
    startPortal: (config: BrowserConfig, element: HTMLElement) => Promise<void>;
  }>;
}

/**
 * Shows the sign-in page, and the portal after the sign-in. Continues directly if a user is already
 * signed in.
 */
export async function startSignIn({
  config,
  element,
  loadPortal,
}: StartSignInOptions): Promise<void> {
  await configureSignIn(config);
  setProductName(config.productName);
  let entering = false;
  const enter = async (): Promise<void> => {
    if (entering) return;
    entering = true;
    stopHearing();
    const next = nextPath(location.search);
    const stopFollowing = whenReplaced(() => {
      history.replaceState(null, '', next);
      void loadNewRelease();
    });
    const { startPortal } = await loadPortal();
    stopFollowing();
    history.replaceState(null, '', next);
    root.unmount();
    await startPortal(config, element);
  };
  const root = createRoot(element);
  // Another tab has signed in, so this page is done.
  const stopHearing = listenToTabs(({ kind }) => {
    if (kind !== 'signed-in') return;
    session.forget();
    void session.current().then((signedIn) => (signedIn === null ? undefined : enter()));
  });
  if ((await session.current()) !== null) {
    await enter();
    return;
  }
  root.render(
    <StrictMode>
      <PageShell>
        <SignInPage
          config={config}
          onSignedIn={() => void enter()}
          onCodeSent={() => {
            void loadPortal();
            // Creates the guest identity, which is exchanged at the sign-in.
            signInLibrary()
              .then(({ fetchAuthSession }) => fetchAuthSession())
              .catch(() => undefined);
          }}
        />
      </PageShell>
    </StrictMode>,
  );
  // Errors of the early load are handled in the step that needs it.
  afterPaint(
    () =>
      void signInLayer()
        .prepare()
        .catch(() => undefined),
  );
}
