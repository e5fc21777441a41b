import { newId } from '@deviceportal/contract/ids';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderKeys } from '../keys/load-provider-keys.ts';
import type { ProviderSettings } from '../provider/provider-settings.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import {
  findOpenSession,
  insertSession,
  listOpenSessions,
  revokeSession,
  revokeSessionsOf,
  setSessionDevice,
  touchSession,
  type ProviderSession,
} from './provider-session-store.ts';
import {
  createProviderTokenCheck,
  readUserToken,
  signUserToken,
  type ProviderTokenCheck,
} from './user-token.ts';
import type { IssuedToken } from './issued-token.ts';

/** Claims of a valid token. */
export interface UserToken {
  readonly userId: string;
  readonly session: ProviderSession;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export interface NewSession {
  readonly appId: string;
  readonly method: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
}

/** Sessions and their tokens. A token is valid until it expires or its session ends. */
export interface Tokens {
  startSession(user: ProviderUser, session: NewSession, db?: Queryable): Promise<IssuedToken>;
  /** Verifies any token of the issuer, without checking that its session is active. */
  readonly check: ProviderTokenCheck;
  /** Undefined if the token is not from this issuer, is expired, or its session has ended. */
  verify(token: string): Promise<UserToken | undefined>;
  /** Issues a new token for the same session, without extending the session. */
  refresh(token: UserToken, user: ProviderUser): Promise<IssuedToken>;
  listSessions(userId: string): Promise<ProviderSession[]>;
  bindDevice(sessionId: string, deviceId: string): Promise<void>;
  /** @returns false if the session had already ended */
  endSession(sessionId: string, db?: Queryable): Promise<boolean>;
  /** @returns the number of ended sessions */
  endSessionsOf(userId: string, exceptSessionId?: string, db?: Queryable): Promise<number>;
}

export function createTokens(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly keys: ProviderKeys;
  readonly settings: ProviderSettings;
  readonly sessionSeconds: () => number;
}): Tokens {
  const { db: pool, clock, sessionSeconds } = options;
  const now = (): Date => new Date(clock.now());
  const check = createProviderTokenCheck(options);
  const issue = (session: ProviderSession, user: ProviderUser): Promise<IssuedToken> =>
    signUserToken(options, session, user);
  return {
    check,
    async startSession(user, { appId, method, address, userAgent }, db = pool) {
      const at = now();
      const session: ProviderSession = {
        id: newId(),
        userId: user.id,
        appId,
        method,
        address,
        userAgent: userAgent ?? null,
        deviceId: null,
        createdAt: at,
        usedAt: at,
        expiresAt: new Date(at.getTime() + sessionSeconds() * 1_000),
      };
      await insertSession(db, session);
      return issue(session, user);
    },
    async verify(token) {
      const claims = await readUserToken(check, token);
      if (claims === undefined) return undefined;
      const session = await findOpenSession(pool, claims.sessionId, now());
      if (session === undefined || session.userId !== claims.userId) return undefined;
      const { userId, issuedAt, expiresAt } = claims;
      return { userId, session, issuedAt, expiresAt };
    },
    async refresh({ session }, user) {
      await touchSession(pool, session.id, now());
      return issue(session, user);
    },
    listSessions: (userId) => listOpenSessions(pool, userId, now()),
    bindDevice: (sessionId, deviceId) => setSessionDevice(pool, sessionId, deviceId),
    endSession: (sessionId, db = pool) => revokeSession(db, sessionId, now()),
    endSessionsOf: (userId, except, db = pool) =>
      revokeSessionsOf(db, userId, { at: now(), except }),
  };
}
