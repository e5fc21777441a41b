import { PortalError } from '@deviceportal/contract/errors';
import type { Administering } from '../administration/administer.ts';
import { markAccessKeyRevoked, type AccessKeyUse } from './access-key-store.ts';

/**
 * Ends a key of one use, in an act of administration.
 * @returns its name
 * @throws PortalError notFound when it is none of this use, or was revoked already
 */
export async function endAccessKey(
  { client, now }: Pick<Administering, 'client' | 'now'>,
  key: { readonly accessKeyId: string; readonly use: AccessKeyUse },
): Promise<string> {
  const name = await markAccessKeyRevoked(client, key, now);
  if (name === undefined) {
    throw new PortalError('notFound', { facts: { accessKey: key.accessKeyId } });
  }
  return name;
}
