import { Signer } from '@aws-sdk/rds-signer';
import type { AwsPackage } from '@deviceportal/server/aws-package';

/** Passwords of Amazon RDS by AWS IAM, signed without a call. */
export const createRdsTokens: AwsPackage['rds-tokens']['createRdsTokens'] = ({
  host,
  ...options
}) => {
  const signers = new Map<string, Signer>();
  return (username) => {
    const signer = signers.get(username) ?? new Signer({ ...options, hostname: host, username });
    signers.set(username, signer);
    return signer.getAuthToken();
  };
};
