import { getCredentialsForIdentitySchema, getIdSchema } from '../wire/identity-pool-shapes.ts';
import { operation, type Operation } from '../wire/operation.ts';
import { getCredentialsForIdentity } from './get-credentials-for-identity.ts';
import { getId } from './get-id.ts';
import type { IdentityContext } from './identity-context.ts';

/** The operations of the identity pool by name (`AWSCognitoIdentityService.<name>`). */
export function identityPoolOperations(context: IdentityContext): Record<string, Operation> {
  return {
    GetId: operation(getIdSchema, (input, origin) => getId(context, input, origin)),
    GetCredentialsForIdentity: operation(getCredentialsForIdentitySchema, (input, origin) =>
      getCredentialsForIdentity(context, input, origin),
    ),
  };
}
