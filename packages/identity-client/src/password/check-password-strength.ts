import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';

export interface PasswordStrength {
  readonly valid: boolean;
  readonly message?: string | null;
}

const CHECK = operation('query', 'checkPasswordStrength', { password: 'String!' }, 'valid message');

/** Whether the application accepts this password, with the reason if not. */
export async function checkPasswordStrength(
  client: IdentityClient,
  password: string,
  { signal }: CallOptions = {},
): Promise<PasswordStrength> {
  const variables = { password };
  return (await client.graphql({ operation: CHECK, variables, signal })) as PasswordStrength;
}
