import {
  webPagePermissions,
  type DeviceWebPages,
  type WebPageSessionSummary,
} from '@deviceportal/contract/web-pages';
import { findDevice } from '../devices/find-device.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listWebPages, type WebPageRow } from './data/web-page-queries.ts';
import { findOfferedPages } from './find-offered-pages.ts';
import type { WebPageDeps } from './web-page-deps.ts';

/** The web pages that a device offers, and its latest sessions. */
export async function listDeviceWebPages(
  deps: Pick<WebPageDeps, 'database' | 'webPageOrigin'>,
  viewer: Viewer,
  { deviceId: reference }: { readonly deviceId: string },
): Promise<DeviceWebPages> {
  const { orm } = deps.database;
  const deviceId = await findDevice(orm, viewer, { reference, permissions: webPagePermissions });
  const [{ offer, pages, consent, asksConsent }, rows] = await Promise.all([
    findOfferedPages(orm, deviceId, deps),
    listWebPages(orm, deviceId),
  ]);
  const sessions = rows.map((row) => toSummary(row, viewer));
  return { offer, pages, consent, asksConsent, sessions };
}

/** Users are masked without `people:read`. */
function toSummary(row: WebPageRow, viewer: Viewer): WebPageSessionSummary {
  const { id, state, userId, reason, port, title, endReason, obstacle } = row;
  const { requests, sentBytes, receivedBytes } = row;
  return {
    ...{ id, state, userId, reason, port, title, endReason, obstacle },
    ...{ requests, sentBytes, receivedBytes },
    username: maskUser(row.username, viewer),
    isAsking: state === 'opening' && row.consentAskedAt !== null,
    openedAt: row.openedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
