import { findIdentityOfLogin } from '../identity-pool/identity-store.ts';
import { findCredentialInUse } from '../identity-pool/credential-store.ts';
import { readGroupNames } from '../user-pool/group-store.ts';
import { isSignInOpen } from '../../sessions/refresh-token-store.ts';
import { findUserBySub } from '../../accounts/pool-account-store.ts';
import { IDENTITY_SESSION_NAME, isInForce, principalOfCredential } from '../signature/find-key.ts';
import type { Principal } from '../signature/principal.ts';
import { assumeRole, type AssumeRoleContext, type RoleSession } from './assume-role.ts';
import { AssumeRoleError } from './assume-role-error.ts';
import { authorize } from './authorize.ts';
import { AUTHENTICATED_ROLE } from './builtin-roles.ts';
import { partitionOf, roleArn } from './role-arn.ts';

export interface PersonalRoleSession {
  /** The signed-in person and their sign-in (`origin_jti`). */
  readonly sub: string;
  readonly originJti: string;
  /** Such as `DevicePortal_AirBlast`. */
  readonly roleName: string;
  readonly durationSeconds?: number;
  /** A policy document that narrows what the role allows. */
  readonly sessionPolicy?: string;
  readonly address: string;
  readonly requestId: string;
}

/** Role sessions for the server's own use-cases: what AssumeRole does over the wire, without the wire. */
export interface RoleSessions {
  /**
   * Assumes a role for a user; session name and source identity are the username.
   * @throws AssumeRoleError also if the session has ended
   */
  assumeForPerson(input: PersonalRoleSession): Promise<RoleSession>;
  /**
   * Whether a session of a role is in force and allows an action: not past its end, its sign-in not ended, its person
   * not disabled, and its policies, narrowed by those of the session, saying so.
   */
  isAllowed(asked: {
    readonly accessKeyId: string;
    /** Such as `deviceportal:OperateAirBlast`. */
    readonly action: string;
    readonly resource: string;
    readonly address: string;
  }): Promise<boolean>;
}

export function createRoleSessions(context: AssumeRoleContext): RoleSessions {
  return {
    async assumeForPerson(input) {
      const principal = await principalOfPerson(context, input);
      const name = principal.name
        .replaceAll(/[^\w+=,.@-]/g, '_')
        .slice(0, 64)
        .padEnd(2, '_');
      return assumeRole(
        context,
        { principal, address: input.address, requestId: input.requestId },
        {
          roleArn: roleArn(context.settings, input.roleName),
          sessionName: name,
          durationSeconds: input.durationSeconds,
          sessionPolicy: input.sessionPolicy,
          sourceIdentity: principal.name,
        },
      );
    },
    async isAllowed({ accessKeyId, action, resource, address }) {
      const credential = await findCredentialInUse(context.pool, accessKeyId);
      const nowMs = context.clock.now();
      if (credential === undefined || !isInForce(credential, nowMs)) return false;
      const principal = principalOfCredential(context, credential);
      const request = { action, resource, facts: { nowMs, address } };
      return authorize(principal, request, context.settings) === 'allowed';
    },
  };
}

/** A signed-in person with the rights that their credentials of the identity pool would have. */
async function principalOfPerson(
  context: AssumeRoleContext,
  { sub, originJti }: Pick<PersonalRoleSession, 'sub' | 'originJti'>,
): Promise<Principal> {
  const { pool, settings, clock, roles } = context;
  const now = new Date(clock.now());
  const user = await findUserBySub(pool, sub);
  if (user === undefined || !user.enabled || !(await isSignInOpen(pool, originJti, now))) {
    throw new AssumeRoleError('accessDenied', 'The sign-in has ended.');
  }
  const role = roles.get(roleArn(settings, AUTHENTICATED_ROLE));
  const provider = settings.issuer.replace(/^https?:\/\//, '');
  const account = `arn:${partitionOf(settings.region)}:sts::${settings.accountId}`;
  return {
    kind: 'identity',
    accessKeyId: '',
    arn: `${account}:assumed-role/${AUTHENTICATED_ROLE}/${IDENTITY_SESSION_NAME}`,
    userId: `${role?.id ?? ''}:${IDENTITY_SESSION_NAME}`,
    name: user.username,
    person: {
      sub,
      username: user.username,
      groups: await readGroupNames(pool, sub),
      originJti,
    },
    identityId: await findIdentityOfLogin(pool, { provider, subject: sub }),
    policies: role?.policies ?? [],
    sessionPolicies: undefined,
    sourceIdentity: undefined,
    longLivedKeyId: undefined,
    issuedAt: now,
    expiresAt: undefined,
  };
}
