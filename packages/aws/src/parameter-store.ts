/** The Parameter Store of AWS Systems Manager. Only this module uses its client. */

import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';

/** Maximum number of names per GetParameters call (AWS Systems Manager API Reference). */
const NAMES_AT_ONCE = 10;

export interface ParameterStoreOptions {
  readonly region: string;
  /** Undefined for the region's endpoint. */
  readonly endpoint: string | undefined;
  /** Undefined for the default credential chain (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface SsmParameter {
  readonly name: string;
  readonly version: number;
  readonly type: 'String' | 'StringList' | 'SecureString';
  readonly value: string;
}

/**
 * Reads parameters by `name` or `name:version`, secrets decrypted. Parameters that do not exist are
 * omitted. Requires `ssm:GetParameters`, and `kms:Decrypt` for secrets.
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
      // Treat an unknown type as secret.
      for (const { Name = '', Version = 1, Type = 'SecureString', Value = '' } of Parameters) {
        found.push({ name: Name, version: Version, type: Type, value: Value });
      }
    }
    return found;
  };
}
