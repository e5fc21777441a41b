import { storeAdminGroupMembership } from '../access/users/store-admin-group-membership.ts';
import { loadGrants } from '../access/load-grants.ts';
import { loadUser, type StoredUser } from '../access/users/load-user.ts';
import { recordSignIn } from '../access/record-sign-in.ts';
import type { Database } from '../platform/database/database.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { sessionRefused, type IdTokenClaims, type TokenVerifier } from './token-verifier.ts';

export interface FindViewerDependencies {
  readonly database: Database;
  readonly tokens: TokenVerifier;
  readonly clock: () => Date;
  /**
   * The current groups if the sign-in is active, read with every call, because the token alone cannot tell. Undefined
   * for a sign-in that has ended.
   */
  readonly findGroups: (claims: IdTokenClaims) => Promise<readonly string[] | undefined>;
  /** A session ends this long after its sign-in. */
  readonly named: Pick<NamedSettings, 'sessionDurationMinutes'>;
}

export interface ViewerFinder {
  /** The viewer identified by a bearer token. @throws PortalError 2001, or 2000 if it cannot be determined now */
  find(token: string | undefined, origin: RequestOrigin): Promise<Viewer>;
  /** The viewer for a subject that was authenticated otherwise (by the signature of a file link). */
  findBySubject(subject: string, groups: readonly string[]): Promise<Viewer>;
}

interface Found {
  readonly user: StoredUser;
  readonly groups: readonly string[];
}

/**
 * Verified tokens are cached, users are not: their status, roles, and sign-in are read with every request, so that a
 * sign-out or suspension by any server takes effect immediately.
 */
export function createViewerFinder(dependencies: FindViewerDependencies): ViewerFinder {
  const { database, tokens, clock, named, findGroups } = dependencies;

  const load = async (claims: IdTokenClaims, origin: RequestOrigin): Promise<Found> => {
    const [known, groups] = await Promise.all([
      loadUser({ database }, claims.subject),
      findGroups(claims),
    ]);
    // Checked before the sign-in is recorded: an ended one must not be.
    if (groups === undefined) throw sessionRefused('signed-out');
    if (known?.lastSignInAt && known.lastSignInAt >= claims.authenticatedAt) {
      return { user: known, groups };
    }
    const name = claims.name ?? claims.email ?? claims.phone ?? claims.username;
    await recordSignIn({ database }, { ...claims, name }, origin);
    const stored = await loadUser({ database }, claims.subject);
    if (!stored) throw sessionRefused('user-unknown');
    return { user: stored, groups };
  };

  return {
    async find(token, origin) {
      if (token === undefined) throw sessionRefused('no-token');
      const claims = await tokens.verify(token);
      const endsAtMs = claims.authenticatedAt.getTime() + named.sessionDurationMinutes * 60_000;
      if (endsAtMs <= clock().getTime()) throw sessionRefused('session-ended');
      const { user, groups } = await load(claims, origin);
      await storeAdminGroupMembership({ database }, user, groups);
      return {
        ...(await toViewer(database, user, { ...claims, groups })),
        verified: verifiedIn(claims),
      };
    },
    async findBySubject(subject, groups) {
      const user = await loadUser({ database }, subject);
      if (!user) throw sessionRefused('user-unknown');
      return toViewer(database, user, { groups, authenticatedAt: user.lastSignInAt ?? clock() });
    },
  };
}

async function toViewer(
  database: Database,
  user: StoredUser,
  claims: Pick<IdTokenClaims, 'groups' | 'authenticatedAt'> & {
    readonly originJti?: string | null;
  },
): Promise<Viewer> {
  if (user.status !== 'Activated') throw sessionRefused('user-not-active');
  const viewer = {
    userId: user.id,
    subject: user.subject,
    username: user.username,
    displayName: user.name,
    email: user.email,
    signedInAt: claims.authenticatedAt,
    signInId: claims.originJti ?? undefined,
  };
  const held = await loadGrants({ database }, user, claims.groups);
  return { ...viewer, ...held, admitted: user.isAdmitted || held.grants.length > 0 };
}

const verifiedIn = (claims: IdTokenClaims): NonNullable<Viewer['verified']> => ({
  email: claims.emailVerified ? claims.email : null,
  phone: claims.phoneVerified ? claims.phone : null,
});
