import { administer, type AdministrationContext } from '../../administration/administer.ts';
import type { ActOrigin } from '../../administration/administration-act.ts';
import { issueCredential, type IssuedCredential } from '../identity-pool/issue-credential.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { MalformedPolicyError, parsePolicy } from '../policy/parse-policy.ts';
import type { PolicyContext } from '../policy/policy-document.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SecretHash } from '../../secrets/secret-hash.ts';
import { actOriginOf } from '../administration/signed-operation.ts';
import type { Principal, PrincipalPerson } from '../signature/principal.ts';
import { AssumeRoleError } from './assume-role-error.ts';
import { accessDeniedText, authorize } from './authorize.ts';
import { policyContextOf } from './policy-context.ts';
import { partitionOf } from './role-arn.ts';
import type { Role, Roles } from './role.ts';

/** Current permissions of a user in the portal, such as `air-blast:run`. */
export type FindPermissions = (
  person: Pick<PrincipalPerson, 'sub' | 'groups'>,
) => Promise<readonly string[]>;

export interface AssumeRoleContext extends AdministrationContext {
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly roles: Roles;
  readonly findPermissions: FindPermissions;
}

export interface AssumeRoleInput {
  readonly roleArn: string;
  readonly sessionName: string;
  /** Undefined: as long as the role allows, at most an hour. */
  readonly durationSeconds?: number | undefined;
  /** A policy document that narrows what the role allows. */
  readonly sessionPolicy?: string | undefined;
  readonly externalId?: string | undefined;
  readonly sourceIdentity?: string | undefined;
}

export interface RoleSession extends IssuedCredential {
  readonly role: Role;
  /** `arn:aws:sts::…:assumed-role/ROLE/SESSION` */
  readonly arn: string;
  /** The role's id, a colon and the session's name. */
  readonly assumedRoleId: string;
  readonly sourceIdentity: string | undefined;
}

const DEFAULT_DURATION_SECONDS = 3_600;
const MIN_DURATION_SECONDS = 900;

/**
 * Gives a principal the rights of a role for a time. Two sides must agree, as on AWS: what the principal may do, and
 * whom the role trusts. The session ends with the sign-in or the access key behind it, and is written down.
 * @throws AssumeRoleError
 */
export async function assumeRole(
  context: AssumeRoleContext,
  caller: { readonly principal: Principal; readonly address: string; readonly requestId: string },
  input: AssumeRoleInput,
): Promise<RoleSession> {
  const { principal } = caller;
  const role = context.roles.get(input.roleArn);
  const sourceIdentity = sourceIdentityOf(principal, input);
  const facts = { nowMs: context.clock.now(), address: caller.address };
  const requestContext: PolicyContext = {
    ...policyContextOf(principal, facts, context.settings),
    'sts:RoleSessionName': input.sessionName,
    'sts:ExternalId': input.externalId,
    'sts:SourceIdentity': sourceIdentity,
    'deviceportal:Permissions':
      principal.person && (await context.findPermissions(principal.person)),
  };
  const actions = ['sts:AssumeRole', ...(sourceIdentity ? ['sts:SetSourceIdentity'] : [])];
  for (const action of actions) {
    requireBothSides(context, { principal, role, action, input, facts, requestContext });
  }
  if (role === undefined) throw new Error('A policy allowed a role that does not exist.');
  const durationSeconds = requireDuration(role, input.durationSeconds);
  requirePolicy(input.sessionPolicy);
  const session = { ...input, sourceIdentity, role, durationSeconds };
  return openRoleSession(context, { principal, origin: actOriginOf(principal, caller) }, session);
}

/** Once set, a source identity stays with everything that is assumed from there. */
function sourceIdentityOf(principal: Principal, input: AssumeRoleInput): string | undefined {
  const { sourceIdentity } = principal;
  if (
    sourceIdentity !== undefined &&
    input.sourceIdentity !== undefined &&
    input.sourceIdentity !== sourceIdentity
  ) {
    throw new AssumeRoleError(
      'accessDenied',
      'The source identity of a session cannot be changed.',
    );
  }
  return sourceIdentity ?? input.sourceIdentity;
}

/**
 * A role that does not exist is rejected like one with another trust policy, so that callers cannot
 * find out which roles exist.
 */
function requireBothSides(
  context: AssumeRoleContext,
  asked: {
    readonly principal: Principal;
    readonly role: Role | undefined;
    readonly action: string;
    readonly input: AssumeRoleInput;
    readonly facts: { readonly nowMs: number; readonly address: string };
    readonly requestContext: PolicyContext;
  },
): void {
  const { principal, role, action, input } = asked;
  const request = { action, resource: input.roleArn };
  const own = authorize(principal, { ...request, facts: asked.facts }, context.settings);
  const trusted =
    role === undefined
      ? 'implicitDeny'
      : evaluatePolicy([role.trust], {
          ...request,
          principal: principal.arn,
          context: asked.requestContext,
        });
  const refusal = own === 'allowed' ? trusted : own;
  if (refusal === 'allowed') return;
  throw new AssumeRoleError('accessDenied', accessDeniedText(principal, request, refusal));
}

function requireDuration(role: Role, asked: number | undefined): number {
  const seconds = asked ?? Math.min(DEFAULT_DURATION_SECONDS, role.maxSessionSeconds);
  if (seconds < MIN_DURATION_SECONDS) {
    throw new AssumeRoleError(
      'validation',
      `1 validation error detected: Value '${seconds}' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to ${MIN_DURATION_SECONDS}`,
    );
  }
  if (seconds > role.maxSessionSeconds) {
    throw new AssumeRoleError(
      'validation',
      'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
    );
  }
  return seconds;
}

function requirePolicy(document: string | undefined): void {
  if (document === undefined) return;
  try {
    parsePolicy(document);
  } catch (error) {
    if (!(error instanceof MalformedPolicyError)) throw error;
    throw new AssumeRoleError('malformedPolicy', error.message);
  }
}

function openRoleSession(
  context: AssumeRoleContext,
  by: { readonly principal: Principal; readonly origin: ActOrigin },
  session: AssumeRoleInput & { readonly role: Role; readonly durationSeconds: number },
): Promise<RoleSession> {
  const { principal, origin } = by;
  const { role, sessionName, sourceIdentity } = session;
  const { accountId, region } = context.settings;
  return administer(context, origin, async (act) => {
    const credential = await issueCredential(
      { ...context, pool: act.client },
      {
        identityId: principal.identityId,
        role,
        sessionName,
        person: principal.person,
        lifetimeSeconds: session.durationSeconds,
        sessionPolicies:
          session.sessionPolicy === undefined ? undefined : [JSON.parse(session.sessionPolicy)],
        sourceIdentity,
        parentAccessKeyId: principal.longLivedKeyId,
      },
    );
    const { accessKeyId, expiresAt } = credential;
    await act.write('roleAssumed', {
      user: principal.person,
      detail: { role: role.name, sessionName, sourceIdentity, accessKeyId, expiresAt },
    });
    return {
      ...credential,
      role,
      arn: `arn:${partitionOf(region)}:sts::${accountId}:assumed-role/${role.name}/${sessionName}`,
      assumedRoleId: `${role.id}:${sessionName}`,
      sourceIdentity,
    };
  });
}
