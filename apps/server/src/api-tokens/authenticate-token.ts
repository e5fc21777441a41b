import { addressBucket } from '@deviceportal/contract/address-bucket';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { serviceActorName } from '@deviceportal/contract/service-actor-name';
import { findInAdminGroup } from '../access/data/find-in-admin-group.ts';
import type { UserDirectory } from '../access/users/user-directory.ts';
import type { Database } from '../platform/database/database.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { ViewerFinder } from '../session/find-viewer.ts';
import { sessionRefused } from '../session/token-verifier.ts';
import { findTokenByHash, type FoundToken } from './data/api-token-queries.ts';
import { findServiceGrants } from './data/find-service-grants.ts';
import { limitGrants } from './limit-grants.ts';
import { createUseRecorder } from './record-token-use.ts';
import { hashOfApiToken } from './token-format.ts';

export interface TokenAuthenticationDeps {
  readonly database: Database;
  readonly viewers: Pick<ViewerFinder, 'findBySubject'>;
  readonly directory: Pick<UserDirectory, 'administration'>;
  readonly clock: () => Date;
}

export interface TokenAuthentication {
  /**
   * The viewer of a request, from its Authorization header. Nothing about a token is cached: it ends with the next
   * request after it was revoked, has expired, or its owner lost access.
   * @param takeRate called with the ID of an active token, before anything else is read or written; throws for a token
   * that calls too often
   * @throws PortalError 2001 without a valid token; 2000 (429) for too many invalid ones of an address; 1000 if the owner
   * can no longer have tokens
   */
  authenticate(
    authorization: string | undefined,
    origin: RequestOrigin,
    takeRate: (tokenId: string) => void,
  ): Promise<Viewer>;
}

/**
 * Invalid tokens of one address that are answered with 401. Requests with valid tokens are not affected, because others
 * can have the same address. Requests without a token, or with one that cannot exist, cost no look-up and do not count.
 */
export const REJECTED_TOKENS_QUOTA = { burst: 30, perSecond: 0.2 } as const;

export function createTokenAuthentication(deps: TokenAuthenticationDeps): TokenAuthentication {
  const rejected = new TokenBuckets(REJECTED_TOKENS_QUOTA);
  const recordUse = createUseRecorder(deps);

  const findActive = async (tokenHash: string): Promise<FoundToken> => {
    const token = await findTokenByHash(deps.database.orm, tokenHash);
    if (token === undefined) throw sessionRefused('api-token-unknown');
    if (token.end === 'expired') throw sessionRefused('expired-token');
    if (token.end === 'revoked') throw sessionRefused('api-token-revoked');
    if (token.end === 'owner-left') throw sessionRefused('user-not-active');
    return token;
  };

  return {
    async authenticate(authorization, origin, takeRate) {
      const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
      const tokenHash = hashOfApiToken(text);
      if (tokenHash === undefined) {
        throw sessionRefused(text === '' ? 'no-token' : 'malformed-token');
      }
      try {
        const token = await findActive(tokenHash);
        takeRate(token.id);
        const viewer = await viewerOf(deps, token);
        await recordUse(token, viewer, origin);
        return viewer;
      } catch (error) {
        if (!(error instanceof PortalError) || error.errorName !== 'invalidSession') throw error;
        if (!rejected.of(addressBucket(origin.address)).take()) throw tooMany(error);
        throw error;
      }
    },
  };
}

const tooMany = (cause: PortalError): PortalError =>
  refuse('api-rate-limit', {
    facts: { seconds: Math.ceil(1 / REJECTED_TOKENS_QUOTA.perSecond) },
    httpStatus: 429,
    cause,
  });

async function viewerOf(deps: TokenAuthenticationDeps, token: FoundToken): Promise<Viewer> {
  return token.kind === 'service' ? viewerOfService(deps, token) : viewerOfOwner(deps, token);
}

async function viewerOfService(
  { database }: TokenAuthenticationDeps,
  { id, name, createdAt, expiresAt }: FoundToken,
): Promise<Viewer> {
  const roles = await findServiceGrants(database.orm, id);
  const actor = serviceActorName(name);
  return {
    userId: id,
    subject: `api-token:${id}`,
    username: actor,
    displayName: actor,
    email: null,
    roles: roles.map((role) => role.name),
    grants: roles.flatMap(({ atCreation, ...now }) =>
      atCreation === null ? [] : limitGrants([now], atCreation),
    ),
    admitted: true,
    signedInAt: createdAt,
    service: { kind: 'api-token', id, name: actor },
    apiToken: { id, name, expiresAt },
  };
}

/** The owner as they are now, with what the token leaves of their permanent permissions. */
async function viewerOfOwner(
  { database, viewers, directory }: TokenAuthenticationDeps,
  token: FoundToken,
): Promise<Viewer> {
  const { id, name, expiresAt, ownerId, ownerSubject } = token;
  if (ownerId === null || ownerSubject === null) throw sessionRefused('user-unknown');
  // At an external provider, groups are known only from sessions, so only roles assigned in the portal apply.
  const isMember =
    directory.administration !== undefined && (await findInAdminGroup(database.orm, ownerId));
  const owner = await viewers.findBySubject(ownerSubject, isMember ? [ADMIN_GROUP] : []);
  const isEnabled = (await directory.administration?.isEnabled(ownerSubject)) ?? true;
  if (!isEnabled) throw sessionRefused('user-not-active');
  // Temporary access belongs to a session: a token does not use it.
  const lasting = owner.lasting ?? owner.grants;
  if (!holds(lasting, 'api-tokens:create')) {
    throw new PortalError('noPermission', { facts: { permission: 'api-tokens:create' } });
  }
  const grants = limitGrants(lasting, token);
  return {
    ...owner,
    ...{ grants, lasting: grants, temporary: [] },
    signInId: `api-token:${id}`,
    apiToken: { id, name, expiresAt },
  };
}
