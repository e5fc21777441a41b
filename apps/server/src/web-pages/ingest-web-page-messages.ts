import type { WebPageEndReason } from '@deviceportal/contract/web-pages';
import {
  webPageConsentText,
  webPageUpSchema,
  type WebPageCloseReason,
  type WebPageUp,
} from '@deviceportal/device-protocol/web-page-message';
import { recordAudit } from '../audit-trail/record-audit.ts';
import { findReach } from '../devices/data/connections/find-reach.ts';
import { parseUpMessage } from '../gateway/parse-up-message.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { isConsentTo } from '../terminals/verify-consent.ts';
import {
  lockWebPage,
  markPageAsked,
  markPageOpened,
  touchWebPage,
} from './data/web-page-queries.ts';
import { endPageSession, type EndPageDeps } from './end-web-page.ts';
import { OpenPageOwners } from './open-page-owners.ts';
import type { WebPageLines } from './web-page-lines.ts';

const endReasons: Readonly<Record<WebPageCloseReason, WebPageEndReason>> = {
  'too-long': 'too-long',
  'connection-lost': 'device-lost',
  'agent-stopped': 'agent-stopped',
  unknown: 'agent-stopped',
};

export interface WebPageIngestDeps extends EndPageDeps {
  readonly webPageLines: Pick<WebPageLines, 'send' | 'deliver'>;
  /** A message that no device of ours sends. */
  readonly refuse: (deviceId: string, detail: string) => void;
}

/** Takes what devices send for the sessions that they serve. */
export class WebPageIngest implements Disposable {
  readonly #deps: WebPageIngestDeps;
  readonly #owners: OpenPageOwners;

  constructor(deps: WebPageIngestDeps) {
    this.#deps = deps;
    this.#owners = new OpenPageOwners(deps.database, deps.changes);
  }

  [Symbol.dispose](): void {
    this.#owners[Symbol.dispose]();
  }

  /** Resolves when the message is processed or dropped. */
  async take({
    deviceId,
    payload,
  }: {
    readonly deviceId: string;
    readonly payload: Uint8Array;
  }): Promise<void> {
    const parsed = parseUpMessage(webPageUpSchema, payload);
    if (parsed.message === undefined) return this.#deps.refuse(deviceId, parsed.fault);
    const { message } = parsed;
    const isOpen = this.#owners.isOpen(deviceId, message.session);
    if (isOpen === true || (isOpen !== false && (await isOpen)))
      await this.#takeOwn(deviceId, message);
  }

  async #takeOwn(deviceId: string, message: WebPageUp): Promise<void> {
    const { database, webPageLines } = this.#deps;
    const { session } = message;
    switch (message.kind) {
      case 'opened':
        return this.#takeOpened(deviceId, message);
      case 'asking':
        await markPageAsked(database.orm, session);
        return;
      case 'refused':
        return endPageSession(this.#deps, {
          ...{ id: session, reason: 'refused', obstacle: message.reason },
        });
      case 'alive':
        return touchWebPage(database.orm, session);
      case 'closed':
        return endPageSession(this.#deps, { id: session, reason: endReasons[message.reason] });
      default:
        webPageLines.deliver(deviceId, message);
    }
  }

  async #takeOpened(
    deviceId: string,
    message: Extract<WebPageUp, { kind: 'opened' }>,
  ): Promise<void> {
    const { database } = this.#deps;
    const opened = await inTransaction(database, (tx) => open(tx, deviceId, message));
    if (opened === 'unproved')
      await endPageSession(this.#deps, { id: message.session, reason: 'consent-unproved' });
  }
}

/** Opens a session, and records the consent of the person at the device if there is one. */
async function open(
  tx: Transaction,
  deviceId: string,
  { session, consent }: Extract<WebPageUp, { kind: 'opened' }>,
): Promise<'opened' | 'unproved' | 'known'> {
  const row = await lockWebPage(tx, session);
  if (row?.state !== 'opening' || row.deviceId !== deviceId) return 'known';
  const { fingerprint, name } = await findReach(tx, deviceId);
  const isProved = isConsentTo(row, consent, fingerprint, webPageConsentText);
  if ((row.needsConsent || consent !== undefined) && !isProved) return 'unproved';
  await markPageOpened(tx, session);
  if (isProved)
    await recordAudit(tx, [
      {
        type: 'web-page.consent-given',
        actor: { kind: 'device', id: deviceId, name, address: null },
        deviceId,
        data: { sessionId: session, userId: row.userId, ...consent },
      },
    ]);
  return 'opened';
}
