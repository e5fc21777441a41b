import { SESSION_REFRESH_LEAD_MS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { subjectOf } from './subject-of.ts';

/** The session of the product (docs/design/portal.md, section 3). */
export interface PortalSession {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly idToken: string;
  /** The email address, otherwise the phone number, otherwise the name. */
  readonly username: string;
}

export interface SessionKeeperOptions {
  /** Reads the stored tokens, or refreshes them first. Null without a session. */
  readonly read: (options: { readonly refresh: boolean }) => Promise<PortalSession | null>;
  /** Runs one refresh at a time across all tabs. */
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly nowMs: () => number;
  /** The subject of the tokens in this browser, as all tabs see it. Null without tokens. */
  readonly storedSubject: () => string | null;
  /** This tab shows the data of one user, but the browser now has the tokens of another. */
  readonly onOtherPerson: () => void;
}

export interface SessionKeeper {
  /**
   * The ID token for an API call, refreshed if it expires within three minutes. Rejects with 2001.
   */
  readonly idToken: () => Promise<string>;
  /** The signed-in user. Null on any error. */
  readonly current: () => Promise<PortalSession | null>;
  readonly forget: () => void;
}

class OtherPersonError extends PortalError {}

/** Caches the session between API calls (docs/design/portal.md, section 4). */
export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { read, exclusively, nowMs, storedSubject } = options;
  let cached: PortalSession | null = null;
  /**
   * The owner of the tokens when `cached` was read. Another tab may have signed out, or in as
   * another user.
   */
  let cachedFor: string | null = null;
  let owner: string | undefined;
  let underWay: Promise<PortalSession | null> | undefined;
  const isFresh = (session: PortalSession): boolean =>
    session.expiresAt - nowMs() > SESSION_REFRESH_LEAD_MS;

  const renew = (): Promise<PortalSession | null> =>
    exclusively(async () => {
      // Another tab may have refreshed while this one waited for the lock.
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
