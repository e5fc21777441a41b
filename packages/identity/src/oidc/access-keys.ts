import {
  insertClientCredentialsKey,
  type ClientCredentialsKey,
} from '../access-keys/access-key-store.ts';
import { randomSecret } from '../secrets/secret-hash.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';

const ID_BYTES = 15;
const SECRET_BYTES = 32;

/** An access key, returned once to its creator. */
export interface NewAccessKey {
  readonly accessKey: string;
  readonly accessSecret: string;
}

/**
 * Creates an access key of this application. Only a hash of the secret is stored.
 * @param scopes scopes that its tokens can have
 */
export async function createAccessKey(
  { clock, db, hash }: Pick<ProviderContext, 'clock' | 'hash'> & { readonly db: Queryable },
  {
    appId,
    accessGrant = null,
    name = '',
    scopes,
  }: Pick<ClientCredentialsKey, 'appId' | 'scopes'> &
    Partial<Pick<ClientCredentialsKey, 'accessGrant' | 'name'>>,
): Promise<NewAccessKey> {
  const accessKey = randomSecret(ID_BYTES);
  const accessSecret = randomSecret(SECRET_BYTES);
  const secretHash = hash('provider-access-key', accessKey, accessSecret);
  await insertClientCredentialsKey(db, {
    ...{ accessKeyId: accessKey, name, appId, secretHash, scopes, accessGrant },
    createdAt: new Date(clock.now()),
  });
  return { accessKey, accessSecret };
}
