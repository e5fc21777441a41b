import { createHash, randomBytes } from 'node:crypto';
import { statementTypes, signStatement } from '@deviceportal/command-signing/signed-statement';
import { newId } from '@deviceportal/contract/ids';
import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import {
  WEB_PAGE_DURATION_MS,
  WEB_PAGE_LIMITS,
  type OpenedWebPage,
  type openWebPageInput,
} from '@deviceportal/contract/web-pages';
import type { WebPageStatement } from '@deviceportal/device-protocol/web-page-message';
import type { z } from 'zod';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import { holderOf } from '../platform/person-links.ts';
import type { Caller } from '../platform/viewer.ts';
import {
  countOpenPages,
  insertWebPage,
  lockPageOpenings,
  type OpenWebPages,
} from './data/web-page-queries.ts';
import { findOfferedPages } from './find-offered-pages.ts';
import type { WebPageDeps } from './web-page-deps.ts';

/** How long a device may open a session after it was requested. */
const OPEN_WITHIN_MS = 60_000;
const LABEL_BYTES = 20;
const permissions = ['web-pages:open'] as const;

/**
 * Asks a device to open one of its local web pages for a session.
 *
 * @throws PortalError 6000 for a device outside the scope; 2004 if it does not offer the port, its model
 * forbids it or requires a consent that it cannot ask for, it is not connected, or too many are open
 */
export async function openWebPage(
  deps: WebPageDeps,
  caller: Caller,
  { deviceId: reference, port, reason }: z.infer<typeof openWebPageInput>,
): Promise<OpenedWebPage> {
  const { database, clock, signing, webPageLines, changes } = deps;
  const { viewer } = caller;
  const deviceId = await findDevice(database.orm, viewer, { reference, permissions });
  const { title, needsConsent } = await requireOffered(deps, deviceId, port);
  const owner = { userId: viewer.userId, deviceId };
  // Without a lock: many requests beyond the limits cost one statement each.
  requireRoomFor(await countOpenPages(database.orm, owner));
  const id = newId();
  const nowMs = clock().getTime();
  const endsAt = new Date(nowMs + WEB_PAGE_DURATION_MS);
  const statement: WebPageStatement = {
    ...{ session: id, deviceId, port, needsConsent, reason },
    authorizedBy: { id: viewer.userId },
    userName: viewer.username.slice(0, 200),
    openBefore: new Date(nowMs + OPEN_WITHIN_MS).toISOString(),
    endBefore: endsAt.toISOString(),
  };
  const signed = await signStatement(statementTypes.webPage, statement, signing.keys.current);
  await inTransaction(database, async (tx) => {
    await lockPageOpenings(tx);
    requireRoomFor(await countOpenPages(tx, owner));
    await insertWebPage(tx, {
      ...{ ...owner, id, reason, port, title, endsAt, needsConsent },
      username: viewer.username,
      requestSha256: createHash('sha256').update(signed.payload).digest('hex'),
      label: randomBytes(LABEL_BYTES).toString('hex'),
      holder: holderOf(viewer),
      scopes: scopesOf(viewer.grants, permissions),
    });
    await recordAudit(tx, [
      {
        type: 'web-page.opened',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        deviceId,
        data: { sessionId: id, port, title, purpose: reason, needsConsent },
      },
    ]);
  });
  changes.publish([{ kind: 'audit-trail', deviceIds: [deviceId] }]);
  webPageLines.send(deviceId, { kind: 'open', session: id, statement: signed });
  return { sessionId: id };
}

async function requireOffered(
  deps: Pick<WebPageDeps, 'database' | 'webPageOrigin'>,
  deviceId: string,
  port: number,
): Promise<{ readonly title: string; readonly needsConsent: boolean }> {
  const { offer, pages, consent, asksConsent, isConnected } = await findOfferedPages(
    deps.database.orm,
    deviceId,
    deps,
  );
  if (consent === 'forbidden') throw refuse('web-pages-forbidden');
  if (offer !== 'available') throw refuse('web-pages-not-offered', { facts: { offer } });
  const page = pages.find((each) => each.port === port);
  if (page === undefined) throw refuse('web-page-port-not-offered', { facts: { port } });
  if (consent === 'required' && !asksConsent) throw refuse('web-page-consent-not-possible');
  if (!isConnected) throw refuse('web-page-device-offline');
  return { title: page.title, needsConsent: consent === 'required' };
}

function requireRoomFor({ user, device, all }: OpenWebPages): void {
  const { perUser, perDevice, inAll } = WEB_PAGE_LIMITS;
  if (user >= perUser) throw refuse('web-pages-of-user', { facts: { most: perUser } });
  if (device >= perDevice) throw refuse('web-pages-of-device', { facts: { most: perDevice } });
  if (all >= inAll) throw refuse('web-pages-of-portal', { facts: { most: inAll } });
}
