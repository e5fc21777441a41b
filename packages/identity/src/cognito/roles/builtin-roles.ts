import { ADMIN_GROUP, AIR_BLAST_ROLE_SESSION_SECONDS } from '@deviceportal/contract/constants';
import { partitionOf, roleArn, userPoolArn, type PoolNames } from './role-arn.ts';

export interface RoleDefinition {
  /** Documents in the language of AWS IAM. */
  readonly policies: readonly unknown[];
  readonly trust: unknown;
  readonly maxSessionSeconds: number;
}

export const AUTHENTICATED_ROLE = 'DevicePortal_Authenticated';
export const UNAUTHENTICATED_ROLE = 'DevicePortal_Unauthenticated';
export const AIR_BLAST_ROLE = 'DevicePortal_AirBlast';
export const USER_ADMINISTRATION_ROLE = 'DevicePortal_UserAdministration';

/** Actions of the portal itself. */
export const OPERATE_AIR_BLAST = 'deviceportal:OperateAirBlast';
export const READ_REPORT_FILE = 'deviceportal:ReadReportFile';

const VERSION = '2012-10-17';
const HOUR_SECONDS = 3_600;

/**
 * Built-in roles. Credentials of the identity pool have the first two. The others are assumed with
 * AssumeRole by the principals of their trust policies.
 */
export function builtinRoles(settings: PoolNames): Record<string, RoleDefinition> {
  return {
    [AUTHENTICATED_ROLE]: {
      policies: [document(...authenticatedStatements(settings))],
      trust: trust('sts:AssumeRoleWithWebIdentity', fromIdentityPool(settings, 'authenticated')),
      maxSessionSeconds: 12 * HOUR_SECONDS,
    },
    [UNAUTHENTICATED_ROLE]: {
      // A guest has an identity, and nothing that it opens.
      policies: [document({ Effect: 'Deny', Action: '*', Resource: '*' })],
      trust: trust('sts:AssumeRoleWithWebIdentity', fromIdentityPool(settings, 'unauthenticated')),
      maxSessionSeconds: 12 * HOUR_SECONDS,
    },
    [AIR_BLAST_ROLE]: {
      policies: [document({ Effect: 'Allow', Action: OPERATE_AIR_BLAST, Resource: '*' })],
      trust: trust(['sts:AssumeRole', 'sts:SetSourceIdentity'], {
        'ForAnyValue:StringEquals': { 'deviceportal:Permissions': 'air-blast:run' },
        // Callers cannot name another user as the source identity.
        StringEqualsIfExists: { 'sts:SourceIdentity': '${deviceportal:Username}' },
      }),
      maxSessionSeconds: AIR_BLAST_ROLE_SESSION_SECONDS,
    },
    [USER_ADMINISTRATION_ROLE]: {
      policies: [
        document({ Effect: 'Allow', Action: 'cognito-idp:*', Resource: userPoolArn(settings) }),
      ],
      trust: trust(['sts:AssumeRole', 'sts:SetSourceIdentity'], {
        'ForAnyValue:StringEquals': { 'deviceportal:Groups': ADMIN_GROUP },
        StringEqualsIfExists: { 'sts:SourceIdentity': '${deviceportal:Username}' },
      }),
      maxSessionSeconds: HOUR_SECONDS,
    },
  };
}

function authenticatedStatements(settings: PoolNames): object[] {
  const partition = partitionOf(settings.region);
  const iot = `arn:${partition}:iot:${settings.region}:${settings.accountId}`;
  return [
    // The IoT policy determines the client and topics of a user, as on AWS.
    {
      Effect: 'Allow',
      Action: ['iot:Connect', 'iot:Publish', 'iot:Subscribe', 'iot:Receive'],
      Resource: [`${iot}:client/*`, `${iot}:topic/*`, `${iot}:topicfilter/*`],
    },
    { Effect: 'Allow', Action: READ_REPORT_FILE, Resource: '*' },
    {
      Effect: 'Allow',
      Action: ['sts:AssumeRole', 'sts:SetSourceIdentity'],
      Resource: roleArn(settings, '*'),
    },
  ];
}

function document(...statements: readonly object[]): object {
  return { Version: VERSION, Statement: statements };
}

function trust(actions: string | readonly string[], condition: object): object {
  return document({ Effect: 'Allow', Principal: '*', Action: actions, Condition: condition });
}

function fromIdentityPool(
  { identityPoolId }: PoolNames,
  method: 'authenticated' | 'unauthenticated',
): object {
  return {
    StringEquals: { 'cognito-identity.amazonaws.com:aud': identityPoolId },
    'ForAnyValue:StringEquals': { 'cognito-identity.amazonaws.com:amr': method },
  };
}
