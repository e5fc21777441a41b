import { findSignedCallsKey, type SignedCallsKey } from '../../access-keys/access-key-store.ts';
import type { Clock } from '../../clock.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import type { Policy } from '../policy/policy-document.ts';
import { partitionOf, stableId } from '../roles/role-arn.ts';
import type { Roles } from '../roles/role.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { sameBytes, type SecretHash } from '../../secrets/secret-hash.ts';
import type { IdentitySettings } from '../settings.ts';
import { findCredentialInUse, type CredentialInUse } from '../identity-pool/credential-store.ts';
import type { Queryable } from '../../database/in-transaction.ts';
import type { Principal, PrincipalPerson } from './principal.ts';
import { credentialsExpired, unknownKey } from './signature-error.ts';
import type { FindKey } from './verify-signed-request.ts';

export interface FindKeyContext {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly roles: Roles;
  readonly settings: Pick<IdentitySettings, 'accountId' | 'region'>;
}

/** Temporary keys begin with `ASIA` and need their session token; long-lived ones begin with `AKIA` and have none. */
export function createFindKey(context: FindKeyContext): FindKey {
  return (accessKeyId, sessionToken) =>
    sessionToken === undefined
      ? findLongLived(context, accessKeyId)
      : findTemporary(context, accessKeyId, sessionToken);
}

async function findLongLived(context: FindKeyContext, accessKeyId: string) {
  const key = await findSignedCallsKey(context.db, accessKeyId);
  if (key === undefined || key.revokedAt !== null) throw unknownKey();
  return {
    secretAccessKey: context.box.open(key.secretBox, accessKeyId),
    principal: () => principalOfKey(context, key),
  };
}

async function findTemporary(context: FindKeyContext, accessKeyId: string, sessionToken: string) {
  const credential = await findCredentialInUse(context.db, accessKeyId);
  const tokenHash = context.hash('session-token', sessionToken);
  if (credential === undefined || !sameBytes(tokenHash, credential.sessionTokenHash)) {
    throw unknownKey();
  }
  return {
    secretAccessKey: context.box.open(credential.secretBox, accessKeyId),
    principal: () => {
      if (!isInForce(credential, context.clock.now())) throw credentialsExpired();
      return principalOfCredential(context, credential);
    },
  };
}

/** Neither past its end, nor outlived by the sign-in, the person or the key that it came from. */
export function isInForce(credential: CredentialInUse, nowMs: number): boolean {
  const isPersonGone = credential.sub !== null && credential.enabled !== true;
  return credential.expiresAt.getTime() > nowMs && !credential.revoked && !isPersonGone;
}

/** The principal of a temporary credential; check `isInForce` for its validity. */
export function principalOfCredential(
  context: Pick<FindKeyContext, 'roles' | 'settings'>,
  credential: CredentialInUse,
): Principal {
  const { accountId, region } = context.settings;
  const role = context.roles.get(credential.roleArn);
  const roleName = credential.roleArn.slice(credential.roleArn.lastIndexOf('/') + 1);
  const isSession = credential.sessionName !== IDENTITY_SESSION_NAME;
  return {
    kind: isSession ? 'roleSession' : 'identity',
    accessKeyId: credential.accessKeyId,
    arn: `arn:${partitionOf(region)}:sts::${accountId}:assumed-role/${roleName}/${credential.sessionName}`,
    userId: `${role?.id ?? `AROA${stableId(credential.roleArn)}`}:${credential.sessionName}`,
    name: credential.username ?? credential.sessionName,
    person: personOf(credential),
    identityId: credential.identityId ?? undefined,
    // A role that was removed from the configuration has no policies.
    policies: role?.policies ?? [],
    sessionPolicies: credential.sessionPolicies?.map((policy) => parsePolicy(policy)),
    sourceIdentity: credential.sourceIdentity ?? undefined,
    longLivedKeyId: credential.parentAccessKeyId ?? undefined,
    issuedAt: credential.createdAt,
    expiresAt: credential.expiresAt,
  };
}

/** The name that AWS gives the sessions of an identity pool's credentials. */
export const IDENTITY_SESSION_NAME = 'CognitoIdentityCredentials';

function personOf(credential: CredentialInUse): PrincipalPerson | undefined {
  const { sub, username, originJti, groups } = credential;
  if (sub === null || username === null) return undefined;
  return { sub, username, originJti, groups };
}

function principalOfKey({ settings }: FindKeyContext, key: SignedCallsKey): Principal {
  const { accountId, region } = settings;
  const arn = `arn:${partitionOf(region)}:iam::${accountId}:user/deviceportal/${key.name}`;
  const policies: readonly Policy[] = [parsePolicy(key.policy)];
  return {
    kind: 'accessKey',
    accessKeyId: key.accessKeyId,
    arn,
    userId: `AIDA${stableId(arn)}`,
    name: key.name,
    person: undefined,
    identityId: undefined,
    policies,
    sessionPolicies: undefined,
    sourceIdentity: undefined,
    longLivedKeyId: key.accessKeyId,
    issuedAt: key.createdAt,
    expiresAt: undefined,
  };
}
