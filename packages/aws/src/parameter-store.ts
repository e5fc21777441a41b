import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { AwsPackage, SsmParameter } from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';

/** Maximum number of names per GetParameters call (AWS Systems Manager API Reference). */
const NAMES_AT_ONCE = 10;

/** The Parameter Store of AWS Systems Manager. */
export const createParameterStore: AwsPackage['parameter-store']['createParameterStore'] = (
  options,
) => {
  const client = new SSMClient(clientOptions(options));
  return async (names) => {
    const found: SsmParameter[] = [];
    for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
      const Names = names.slice(from, from + NAMES_AT_ONCE);
      const command = new GetParametersCommand({ Names, WithDecryption: true });
      const { Parameters = [] } = await client.send(command);
      // Treat an unknown type as secret.
      for (const { Name = '', Version = 1, Type = 'SecureString', Value = '' } of Parameters) {
        found.push({ name: Name, version: Version, type: Type, value: Value });
      }
    }
    return found;
  };
};
