import { SESSION_REFRESH_LEAD_MS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { subjectOf } from './subject-of.ts';

/** The session as the product sees it (docs/design/portal.md, section 3). */
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
  /** Whom this browser's tokens belong to, as all tabs see it; null for nobody. */
  readonly storedSubject: () => string | null;
  /** This tab shows one person's data, and the browser belongs to another one now. */
  readonly onOtherPerson: () => void;
}

export interface SessionKeeper {
  /** The id token for an API call, refreshed when it expires within three minutes. Rejects with 2001. */
  readonly idToken: () => Promise<string>;
  /** Who is signed in; null on any error. */
  readonly current: () => Promise<PortalSession | null>;
  readonly forget: () => void;
}

class OtherPersonError extends PortalError {}

/** Holds the session between API calls (docs/design/portal.md, section 4). */
export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { read, exclusively, nowMs, storedSubject } = options;
  let cached: PortalSession | null = null;
  /** The browser's owner when `cached` was read: another tab may have signed out, or in as somebody else. */
  let cachedFor: string | null = null;
  let owner: string | undefined;
  let underWay: Promise<PortalSession | null> | undefined;
  const isFresh = (session: PortalSession): boolean =>
    session.expiresAt - nowMs() > SESSION_REFRESH_LEAD_MS;

  const renew = (): Promise<PortalSession | null> =>
    exclusively(async () => {
      // Another tab may have refreshed while this one waited: what is stored then is fresh already.
      const stored = await read({ refresh: false });
      return stored === null || isFresh(stored) ? stored : read({ refresh: true });
    });

  const refreshed = async (): Promise<PortalSession | null> => {
    if (cached !== null && isFresh(cached) && storedSubject() === cachedFor) return cached;
    cached = null;
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    const session = await underWay;
    if (session !== null) {
      const subject = subjectOf(session.idToken);
      if (owner !== undefined && subject !== owner) throw new OtherPersonError('invalidSession');
      owner = subject;
    }
    cached = session;
    cachedFor = storedSubject();
    return session;
  };

  return {
    async idToken() {
      const session = await refreshed().catch((error: unknown) => {
        if (error instanceof OtherPersonError) options.onOtherPerson();
        throw error;
      });
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
