import { useEffect, type ComponentType, type ReactNode } from 'react';

type Wrapper = ComponentType<{ readonly children: ReactNode }>;

export interface PageShellProps {
  readonly viewport?: string;
  /** The layout of the page: the application’s, or none for sign-in and print. */
  readonly layout?: Wrapper | undefined;
  /** Provides the session, for pages that need it. */
  readonly session?: Wrapper | undefined;
  readonly children: ReactNode;
}

const DEFAULT_VIEWPORT = 'width=device-width, initial-scale=1';

/**
 * The shell of every page (docs/design/portal.md, section 2): sets the viewport, and wraps the page
 * in its optional layout and session provider.
 */
export function PageShell(props: PageShellProps): ReactNode {
  const { viewport = DEFAULT_VIEWPORT, layout: Layout, session: Session, children } = props;
  useEffect(() => {
    document.querySelector('meta[name=viewport]')?.setAttribute('content', viewport);
  }, [viewport]);
  const page = Layout === undefined ? children : <Layout>{children}</Layout>;
  return Session === undefined ? page : <Session>{page}</Session>;
}
