import { randomSecret } from '../../secrets/secret-hash.ts';
import type { Queryable } from '../../store/in-transaction.ts';
import type { ProviderContext } from '../provider-context.ts';
import { insertAccessKey, setAccessKeyDisabled, type AccessKey } from './access-key-store.ts';

const ID_BYTES = 15;
const SECRET_BYTES = 32;

/** A pair as it is shown once, to who made it. */
export interface NewAccessKey {
  readonly accessKey: string;
  readonly accessSecret: string;
}

/**
 * Makes a pair for a program of this application. Only a hash of the secret is kept.
 * @param scopes what its tokens may be asked for
 */
export async function createAccessKey(
  { clock, db, hash }: Pick<ProviderContext, 'clock' | 'hash'> & { readonly db: Queryable },
  {
    appId,
    lease = null,
    scopes,
  }: Pick<AccessKey, 'appId' | 'scopes'> & Partial<Pick<AccessKey, 'lease'>>,
): Promise<NewAccessKey> {
  const accessKey = randomSecret(ID_BYTES);
  const accessSecret = randomSecret(SECRET_BYTES);
  const secretHash = hash('provider-access-key', accessKey, accessSecret);
  await insertAccessKey(
    db,
    { accessKeyId: accessKey, appId, secretHash, scopes, lease },
    new Date(clock.now()),
  );
  return { accessKey, accessSecret };
}

/** Ends a pair: from now on it gets no more tokens. @returns whether it was good until now */
export function disableAccessKey(
  { clock, db }: Pick<ProviderContext, 'clock'> & { readonly db: Queryable },
  accessKey: string,
): Promise<boolean> {
  return setAccessKeyDisabled(db, accessKey, new Date(clock.now()));
}
