import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';

/** Sessions of roles, by the Security Token Service. */
export const createAssumeRole: AwsPackage['assume-role']['createAssumeRole'] = (options) => {
  const client = new STSClient(clientOptions(options));
  return async ({ roleArn, sessionName, durationSeconds, tags }) => {
    const { Credentials } = await client.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: sessionName,
        DurationSeconds: durationSeconds,
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      }),
    );
    const expiresAt = Credentials?.Expiration;
    if (expiresAt === undefined) throw new Error('STS returned no credentials');
    return { expiresAt };
  };
};
