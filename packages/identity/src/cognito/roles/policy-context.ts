import type { PolicyContext } from '../policy/policy-document.ts';
import type { IdentitySettings } from '../settings.ts';
import type { Principal } from '../signature/principal.ts';

/** Source and time of a call for policies. */
export interface CallFacts {
  readonly nowMs: number;
  readonly address: string;
}

/** The context keys of a call: AWS keys if they exist, `deviceportal:` for the portal's own. */
export function policyContextOf(
  principal: Principal,
  facts: CallFacts,
  settings: Pick<IdentitySettings, 'accountId' | 'identityPoolId'>,
): PolicyContext {
  const { identityId, person } = principal;
  return {
    ...momentContext(facts),
    'aws:PrincipalArn': principal.arn,
    'aws:PrincipalAccount': settings.accountId,
    'aws:PrincipalType': principal.kind === 'accessKey' ? 'User' : 'AssumedRole',
    'aws:userid': principal.userId,
    'aws:username': principal.kind === 'accessKey' ? principal.name : undefined,
    'aws:SourceIdentity': principal.sourceIdentity,
    'aws:TokenIssueTime': principal.issuedAt.toISOString(),
    ...(identityId !== undefined && {
      'cognito-identity.amazonaws.com:sub': identityId,
      'cognito-identity.amazonaws.com:aud': settings.identityPoolId,
      'cognito-identity.amazonaws.com:amr':
        person === undefined ? ['unauthenticated'] : ['authenticated'],
    }),
    'deviceportal:Username': person?.username,
    'deviceportal:Sub': person?.sub,
    'deviceportal:Groups': person?.groups,
  };
}

export function momentContext({ nowMs, address }: CallFacts): PolicyContext {
  return {
    'aws:CurrentTime': new Date(nowMs).toISOString(),
    'aws:EpochTime': String(Math.floor(nowMs / 1_000)),
    'aws:SourceIp': address,
  };
}
