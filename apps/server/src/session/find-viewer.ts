import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { loadRoleGrant, loadUser, type StoredUser } from '../access/load-user.ts';
import { recordSignIn } from '../access/record-sign-in.ts';
import type { Database } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { IdTokenClaims, TokenVerifier } from './token-verifier.ts';

export interface FindViewerDependencies {
  readonly database: Database;
  readonly tokens: TokenVerifier;
  readonly clock: () => Date;
  /** Whether the sign-in has been ended since: what a token alone cannot say. */
  readonly isSignInRevoked: (originJti: string) => Promise<boolean>;
  /** The session's absolute end after its sign-in. */
  readonly sessionDurationMinutes: number;
}

/** Roles changed elsewhere act within this time. */
const CACHE_MS = 5_000;

export interface ViewerFinder {
  /** The viewer behind an Authorization header; throws 2001. */
  find(authorization: string | undefined, origin: RequestOrigin): Promise<Viewer>;
  /** The viewer behind a subject that was authenticated by other means (the live channel's signature). */
  findBySubject(subject: string, groups: readonly string[]): Promise<Viewer>;
}

export function createViewerFinder(dependencies: FindViewerDependencies): ViewerFinder {
  const { database, tokens, clock, sessionDurationMinutes, isSignInRevoked } = dependencies;
  const cache = new Map<string, { readonly user: Promise<StoredUser>; readonly until: number }>();

  const load = async (claims: IdTokenClaims, origin: RequestOrigin): Promise<StoredUser> => {
    if (claims.originJti !== null && (await isSignInRevoked(claims.originJti)))
      throw new PortalError('invalidSession', { detail: 'signed out' });
    const known = await loadUser({ database }, claims.subject);
    if (known?.lastSignInAt && known.lastSignInAt >= claims.authenticatedAt) return known;
    const name = claims.name ?? claims.email ?? claims.phone ?? claims.username;
    await recordSignIn({ database }, { ...claims, name }, origin);
    const stored = await loadUser({ database }, claims.subject);
    if (!stored) throw new PortalError('invalidSession', { detail: 'user vanished' });
    return stored;
  };

  const cached = (claims: IdTokenClaims, origin: RequestOrigin): Promise<StoredUser> => {
    const key = `${claims.subject}:${claims.authenticatedAt.getTime()}`;
    const hit = cache.get(key);
    if (hit && hit.until > clock().getTime()) return hit.user;
    if (cache.size > 5_000) cache.clear();
    const user = load(claims, origin);
    cache.set(key, { user, until: clock().getTime() + CACHE_MS });
    user.catch(() => cache.delete(key));
    return user;
  };

  return {
    async find(authorization, origin) {
      const token = authorization?.replace(/^bearer\s+/i, '').trim();
      if (!token) throw new PortalError('invalidSession', { detail: 'no token' });
      const claims = await tokens.verify(token);
      const endsAtMs = claims.authenticatedAt.getTime() + sessionDurationMinutes * 60_000;
      if (endsAtMs <= clock().getTime())
        throw new PortalError('invalidSession', { detail: 'session ended' });
      const user = await cached(claims, origin);
      return toViewer(database, user, claims);
    },
    async findBySubject(subject, groups) {
      const user = await loadUser({ database }, subject);
      if (!user) throw new PortalError('invalidSession', { detail: 'unknown subject' });
      return toViewer(database, user, { groups, authenticatedAt: user.lastSignInAt ?? clock() });
    },
  };
}

async function toViewer(
  database: Database,
  user: StoredUser,
  claims: Pick<IdTokenClaims, 'groups' | 'authenticatedAt'>,
): Promise<Viewer> {
  if (user.status !== 'Activated')
    throw new PortalError('invalidSession', { detail: `user is ${user.status}` });
  const viewer = {
    userId: user.id,
    subject: user.subject,
    username: user.username,
    displayName: user.name,
    email: user.email,
    signedInAt: claims.authenticatedAt,
  };
  const administrator = 'Administrator';
  if (!claims.groups.includes(ADMIN_GROUP) || user.roles.includes(administrator))
    return { ...viewer, roles: user.roles, grants: user.grants };
  const grant = await loadRoleGrant({ database }, administrator);
  return {
    ...viewer,
    roles: [administrator, ...user.roles],
    grants: grant ? [grant, ...user.grants] : user.grants,
  };
}
