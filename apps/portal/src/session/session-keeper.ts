import { SESSION_REFRESH_LEAD_MS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';

/** The session as the product sees it (portal specification, section 3). */
export interface PortalSession {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly idToken: string;
  /** The e-mail, else the phone number, else the name. */
  readonly username: string;
}

export interface SessionKeeperOptions {
  /** Reads the stored tokens, or gets new ones first; null without a session. */
  readonly read: (options: { readonly refresh: boolean }) => Promise<PortalSession | null>;
  /** One refresh at a time over all tabs. */
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly nowMs: () => number;
}

export interface SessionKeeper {
  /** The id token for an API call, refreshed when it expires within three minutes. Rejects with 2001. */
  readonly idToken: () => Promise<string>;
  /** Who is signed in; null on any error. */
  readonly current: () => Promise<PortalSession | null>;
  readonly forget: () => void;
}

/** Holds the session between API calls (portal specification, section 4). */
export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { read, exclusively, nowMs } = options;
  let cached: PortalSession | null = null;
  let underWay: Promise<PortalSession | null> | undefined;
  const isFresh = (session: PortalSession | null): session is PortalSession =>
    session !== null && session.expiresAt - nowMs() > SESSION_REFRESH_LEAD_MS;

  const renew = (): Promise<PortalSession | null> =>
    exclusively(async () => {
      // Another tab may have refreshed while this one waited: what is stored then is fresh already.
      const stored = await read({ refresh: false });
      return stored === null || isFresh(stored) ? stored : read({ refresh: true });
    });

  const refreshed = async (): Promise<PortalSession | null> => {
    if (isFresh(cached)) return cached;
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    cached = await underWay;
    return cached;
  };

  return {
    async idToken() {
      const session = await refreshed();
      if (session === null) throw new PortalError('invalidSession');
      return session.idToken;
    },
    async current() {
      try {
        return await refreshed();
      } catch {
        return null;
      }
    },
    forget() {
      cached = null;
    },
  };
}
