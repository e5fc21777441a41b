import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Findings of cdk-nag that stay, by rule, with the reason. */
const reasons = {
  'AwsSolutions-EC23': 'The portal and the device port are public.',
  'AwsSolutions-RDS6': 'Servers sign in with passwords that rotate.',
  'AwsSolutions-COG2': 'The one-time code of the sign-in is the only factor of this pool.',
  'AwsSolutions-COG8': 'There are no passwords that threat protection could examine.',
  'AwsSolutions-ECS2':
    'Secrets are secrets of the container. What remains are names and addresses.',
  'AwsSolutions-S1': 'It is a log itself, or copies that are deleted after a day.',
  'AwsSolutions-SMG4':
    'A new value requires a restart of its users: the guide describes the steps.',
  'AwsSolutions-IAM5[Resource::*]': 'ecr:GetAuthorizationToken is not bound to a repository.',
} as const;

const OWN = 'arn:<AWS::Partition>';
const HERE = '<AWS::Region>:<AWS::AccountId>';
/** Resources with a wildcard in the policies of tasks: prefixes that belong to this installation. */
const ownPrefixes = [
  `${OWN}:secretsmanager:${HERE}:secret:deviceportal/installation/*`,
  `${OWN}:ssm:${HERE}:parameter/DevicePortal*`,
  ...['thing/*', 'cert/*', 'client/*', 'topic/deviceportal/devices/*'].map(
    (resource) => `${OWN}:iot:${HERE}:${resource}`,
  ),
  'DevicePortalStorage:ExportsOutputFnGetAttBucketsFiles72356973Arn30635763/portal/*',
  'DevicePortalStorage:ExportsOutputFnGetAttAnalyticsResultsBB93A8DCArn7AAF1928/results/*',
  'DevicePortalStorage:ExportsOutputFnGetAttBucketsAnchors7E5A2E65ArnB5ED98DA/*',
];

export function acknowledge(scope: IConstruct, ...rules: readonly (keyof typeof reasons)[]): void {
  Validations.of(scope).acknowledge(...rules.map((id) => ({ id, reason: reasons[id] })));
}

/** Resources of Run Command that no prefix narrows: SendCommand is limited by a tag of the instances. */
const ofRunCommand = [
  `${OWN}:ec2:${HERE}:instance/*`,
  `${OWN}:ssm:${HERE}:managed-instance/*`,
  `${OWN}:ssm:${HERE}:document/DevicePortal*`,
];

export function acknowledgeOwnPrefixes(policy: IConstruct): void {
  const reason = 'A prefix that belongs to this installation.';
  Validations.of(policy).acknowledge(
    ...ownPrefixes.map((prefix) => ({ id: `AwsSolutions-IAM5[Resource::${prefix}]`, reason })),
    ...ofRunCommand.map((resource) => ({
      id: `AwsSolutions-IAM5[Resource::${resource}]`,
      reason: 'Documents of this installation, and instances with its tag.',
    })),
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Lists and results of commands, and registering a certificate at AWS IoT, are not bound to a resource.',
    },
  );
}
