import type { ClientMetadata } from 'oidc-provider';
import {
  findClientCredentialsKey,
  type ClientCredentialsKey,
} from '../access-keys/access-key-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { USER_TOKEN_GRANT } from './user-token-grant.ts';

/** Custom metadata: the hash of an access key's secret, hexadecimal. */
export const SECRET_HASH = 'secret_hash';

/**
 * The client with this ID for oidc-provider: an application, or one of its access keys. Undefined
 * if it does not exist.
 * @param isWithoutSecret whether the call contains no secret
 */
export async function findClientMetadata(
  context: Pick<ProviderContext, 'applications' | 'clock' | 'db' | 'isAccessGrantInForce'>,
  clientId: string,
  isWithoutSecret: boolean,
): Promise<ClientMetadata | undefined> {
  // No text of PostgreSQL has this character, so no client has such an id.
  if (clientId.includes('\0')) return undefined;
  const application = await context.applications.find(clientId);
  if (application === undefined) return accessKeyClient(context, clientId);
  return {
    client_id: application.appId,
    client_name: application.name,
    client_secret: application.secret,
    redirect_uris: [...application.redirectUris],
    post_logout_redirect_uris: [...application.logoutRedirectUris],
    grant_types: ['authorization_code', 'refresh_token', USER_TOKEN_GRANT],
    response_types: ['code'],
    token_endpoint_auth_method: isWithoutSecret ? 'none' : 'client_secret_basic',
  };
}

async function accessKeyClient(
  context: Pick<ProviderContext, 'clock' | 'db' | 'isAccessGrantInForce'>,
  clientId: string,
): Promise<ClientMetadata | undefined> {
  const key = await findClientCredentialsKey(context.db, clientId);
  if (key === undefined || !(await isInForce(context, key))) return undefined;
  return {
    client_id: key.accessKeyId,
    // The secret itself is kept nowhere: it is compared by its hash.
    client_secret: key.secretHash.toString('hex'),
    [SECRET_HASH]: key.secretHash.toString('hex'),
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    // An empty text is refused as metadata; a pair without scopes is given none (access-key-grant.ts).
    ...(key.scopes.length > 0 && { scope: key.scopes.join(' ') }),
    token_endpoint_auth_method: 'client_secret_post',
  };
}

async function isInForce(
  { clock, isAccessGrantInForce }: Pick<ProviderContext, 'clock' | 'isAccessGrantInForce'>,
  { accessGrant }: ClientCredentialsKey,
): Promise<boolean> {
  if (accessGrant === null) return true;
  return accessGrant.endsAt.getTime() > clock.now() && (await isAccessGrantInForce(accessGrant.id));
}
