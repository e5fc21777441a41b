/** The Parameter Store of AWS Systems Manager: the one place that knows its client. */

import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';

/** What one GetParameters takes (AWS Systems Manager API Reference). */
const NAMES_AT_ONCE = 10;

export interface ParameterStoreOptions {
  readonly region: string;
  /** Undefined: the one of the region. */
  readonly endpoint: string | undefined;
  /** Undefined: as AWS programs find theirs (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface SsmParameter {
  readonly name: string;
  readonly version: number;
  readonly type: 'String' | 'StringList' | 'SecureString';
  readonly value: string;
}

/**
 * Reads parameters by `name` or `name:version`, secrets in the clear; what does not exist is left out. Needs
 * `ssm:GetParameters`, and `kms:Decrypt` for secrets.
 */
export function createParameterStore(
  options: ParameterStoreOptions,
): (names: readonly string[]) => Promise<readonly SsmParameter[]> {
  const { region, endpoint, credentials } = options;
  const client = new SSMClient({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  return async (names) => {
    const found: SsmParameter[] = [];
    for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
      const Names = names.slice(from, from + NAMES_AT_ONCE);
      const command = new GetParametersCommand({ Names, WithDecryption: true });
      const { Parameters = [] } = await client.send(command);
      // What has no type is not known to be harmless.
      for (const { Name = '', Version = 1, Type = 'SecureString', Value = '' } of Parameters) {
        found.push({ name: Name, version: Version, type: Type, value: Value });
      }
    }
    return found;
  };
}
