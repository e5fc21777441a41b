import '@cloudscape-design/global-styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { PageShell } from '../shell/page-shell.tsx';
import { setProductName } from '../shell/page-title.ts';
import { configureSignIn } from './configure-sign-in.ts';
import { nextPath } from './next-path.ts';
import { session } from './session.ts';
import { SignInPage } from './sign-in-page.tsx';

export interface StartSignInOptions {
  readonly config: BrowserConfig;
  readonly element: HTMLElement;
  /** Loads the portal's own code; asked for when a code is on its way, so that it is there when it is needed. */
  readonly loadPortal: () => Promise<{
    startPortal: (config: BrowserConfig, element: HTMLElement) => Promise<void>;
  }>;
}

/** Shows the sign-in page, and in its place the portal once somebody is signed in. Who is already goes straight on. */
export async function startSignIn({
  config,
  element,
  loadPortal,
}: StartSignInOptions): Promise<void> {
  configureSignIn(config);
  setProductName(config.productName);
  const enter = async (): Promise<void> => {
    const { startPortal } = await loadPortal();
    history.replaceState(null, '', nextPath(location.search));
    root.unmount();
    await startPortal(config, element);
  };
  const root = createRoot(element);
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
          onCodeSent={() => void loadPortal()}
        />
      </PageShell>
    </StrictMode>,
  );
}
