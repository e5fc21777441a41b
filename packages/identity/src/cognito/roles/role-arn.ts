import { createHash } from 'node:crypto';

/** Parts of ARNs. */
export interface PoolNames {
  readonly accountId: string;
  readonly region: string;
  readonly userPoolId: string;
  readonly identityPoolId: string;
}

export function roleArn(settings: Pick<PoolNames, 'accountId' | 'region'>, name: string): string {
  return `arn:${partitionOf(settings.region)}:iam::${settings.accountId}:role/deviceportal/${name}`;
}

/** `arn:aws:cognito-idp:…:userpool/…`: what the administration's operations act on. */
export function userPoolArn({
  accountId,
  region,
  userPoolId,
}: Pick<PoolNames, 'accountId' | 'region' | 'userPoolId'>): string {
  return `arn:${partitionOf(region)}:cognito-idp:${region}:${accountId}:userpool/${userPoolId}`;
}

export function partitionOf(region: string): 'aws' | 'aws-cn' {
  return region.startsWith('cn-') ? 'aws-cn' : 'aws';
}

/** 17 characters of the alphabet of AWS's ids, the same for the same ARN on every server. */
export function stableId(arn: string): string {
  const digest = createHash('sha256').update(arn).digest();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return [...digest.subarray(0, 17)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
