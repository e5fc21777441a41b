import { randomBytes } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { WebPageLink } from '@deviceportal/contract/web-pages';
import { findDevice } from '../devices/find-device.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findWebPage, storeLink } from './data/web-page-queries.ts';
import { digestOfSecret } from './digest-of-secret.ts';
import { ENTER_PATH } from './pages-server/enter-page.ts';
import type { WebPageDeps } from './web-page-deps.ts';

/**
 * A link to one's own open session, which works once. The secret is in the fragment, which browsers send
 * to no server.
 * @throws PortalError 2003 for another user's session; 6000 if the permission or scope has ended
 */
export async function linkWebPage(
  { database, webPageOrigin }: Pick<WebPageDeps, 'database' | 'webPageOrigin'>,
  viewer: Viewer,
  { sessionId }: { readonly sessionId: string },
): Promise<WebPageLink> {
  const row = await findWebPage(database.orm, sessionId);
  if (row === undefined || row.userId !== viewer.userId) throw new PortalError('notFound');
  await findDevice(database.orm, viewer, {
    reference: row.deviceId,
    permissions: ['web-pages:open'],
  });
  const secret = randomBytes(32).toString('base64url');
  const isStored =
    webPageOrigin !== null &&
    (await storeLink(database.orm, { id: sessionId, sha256: digestOfSecret(secret) }));
  if (!isStored) throw refuse('web-page-not-open');
  return { url: `${webPageOrigin(row.label)}${ENTER_PATH}#${secret}` };
}
