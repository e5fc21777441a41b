import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { findReach } from '../devices/data/connections/find-reach.ts';
import type { Database } from '../platform/database/database.ts';
import type { SignedQuery, UrlSigner } from '../platform/files/url-signer.ts';
import { findFileRequest, type FileRequestRow } from './data/device-file-queries.ts';
import { DEVICE_PURPOSES } from './sign-file-urls.ts';

/**
 * The request whose link a device uses.
 * @throws PortalError notFound for a link of another request or use, and a device that is not served;
 * 2004 for an expired one
 */
export async function requireDeviceLink(
  { database, signer }: { readonly database: Pick<Database, 'orm'>; readonly signer: UrlSigner },
  link: { readonly id: string; readonly use: 'send' | 'fetch'; readonly query: SignedQuery },
): Promise<FileRequestRow> {
  const { id, use, query } = link;
  const verdict = signer.verify(DEVICE_PURPOSES[use], id, query);
  if (verdict === 'invalid') throw new PortalError('notFound');
  if (verdict === 'expired') throw refuse('link-ended');
  const row = await findFileRequest(database.orm, id);
  if (row === undefined || row.action !== (use === 'send' ? 'read' : 'write'))
    throw new PortalError('notFound');
  const { isServed } = await findReach(database.orm, row.deviceId);
  if (!isServed) throw new PortalError('notFound');
  return row;
}
