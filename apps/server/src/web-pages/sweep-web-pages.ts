import { WEB_PAGE_IDLE_MS, type WebPageEndReason } from '@deviceportal/contract/web-pages';
import { TERMINAL_CONSENT_MS } from '@deviceportal/device-protocol/terminal-consent';
import { WEB_PAGE_SILENCE_MS } from '@deviceportal/device-protocol/web-page-message';
import { findDevicesReached } from '../devices/data/find-devices.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import { listOpenPages, readClock, type WebPageRow } from './data/web-page-queries.ts';
import { endPageSession, type EndPageDeps } from './end-web-page.ts';
import { findOfferedPages } from './find-offered-pages.ts';
import type { WebPageDeps } from './web-page-deps.ts';

/** A device that has not opened the session after this time does not answer. */
const ANSWER_MS = 15_000;

export interface SweepPagesDeps extends EndPageDeps, Pick<WebPageDeps, 'webPageOrigin'> {
  /** Whether the sign-in and the rights of the user are the same as at the opening. */
  readonly isHolderIn: (holder: LinkHolder) => Promise<boolean>;
}

/**
 * Ends sessions whose time is over, whose device does not answer, and whose user has lost the right.
 * Every server with screens does this: what it finds is in the database.
 */
export async function sweepWebPages(deps: SweepPagesDeps): Promise<void> {
  const rows = await listOpenPages(deps.database.orm);
  if (rows.length === 0) return;
  const nowMs = await readClock(deps.database.orm);
  for (const row of rows) {
    const reason = overdue(row, nowMs) ?? (await lostRight(deps, row));
    if (reason !== undefined) await endPageSession(deps, { id: row.id, reason });
  }
}

function overdue(row: WebPageRow, nowMs: number): WebPageEndReason | undefined {
  const since = (moment: Date): number => nowMs - moment.getTime();
  if (row.state === 'opening') {
    const answerMs = ANSWER_MS + (row.consentAskedAt === null ? 0 : TERMINAL_CONSENT_MS);
    return since(row.openedAt) > answerMs ? 'not-answered' : undefined;
  }
  if (since(row.endsAt) > 0) return 'too-long';
  if (since(row.usedAt) > WEB_PAGE_IDLE_MS) return 'idle';
  return since(row.seenAt) > WEB_PAGE_SILENCE_MS ? 'device-lost' : undefined;
}

async function lostRight(
  deps: SweepPagesDeps,
  { holder, scopes, deviceId, port }: WebPageRow,
): Promise<WebPageEndReason | undefined> {
  const { orm } = deps.database;
  const isReached = (await findDevicesReached(orm, scopes, [deviceId])).length > 0;
  if (!isReached || !(await deps.isHolderIn(holder))) return 'permission-lost';
  const { isServed, consent, pages } = await findOfferedPages(orm, deviceId, deps);
  const isOffered = pages.some((page) => page.port === port);
  return isServed && isOffered && consent !== 'forbidden' ? undefined : 'permission-lost';
}
