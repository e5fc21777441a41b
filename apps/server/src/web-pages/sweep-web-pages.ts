import { WEB_PAGE_IDLE_MS, type WebPageEndReason } from '@deviceportal/contract/web-pages';
import { TERMINAL_CONSENT_MS } from '@deviceportal/device-protocol/terminal-consent';
import { WEB_PAGE_SILENCE_MS } from '@deviceportal/device-protocol/web-page-message';
import type { LinkHolder } from '../platform/person-links.ts';
import { listCheckedPages, type CheckedPage } from './data/checked-pages.ts';
import { endPageSession, type EndPageDeps } from './end-web-page.ts';

/** A device that has not opened the session after this time does not answer. */
const ANSWER_MS = 15_000;

export interface SweepPagesDeps extends EndPageDeps {
  /** Those of the users whose sign-in and rights are the same as at the opening. */
  readonly findValidHolders: (holders: readonly LinkHolder[]) => Promise<ReadonlySet<LinkHolder>>;
}

/**
 * Ends sessions whose time is over, whose device does not answer, and whose user has lost the right. All
 * sessions are checked together, with the same number of statements however many there are.
 * Every server with screens does this: what it finds is in the database.
 */
export async function sweepWebPages(deps: SweepPagesDeps): Promise<void> {
  const pages = await listCheckedPages(deps.database.orm);
  if (pages.length === 0) return;
  const valid = await deps.findValidHolders(pages.map(({ holder }) => holder));
  for (const page of pages) {
    const isPermitted = page.isOffered && valid.has(page.holder);
    const reason = overdue(page) ?? (isPermitted ? undefined : 'permission-lost');
    if (reason !== undefined) await endPageSession(deps, { id: page.id, reason });
  }
}

function overdue({ nowMs, ...page }: CheckedPage): WebPageEndReason | undefined {
  const since = (moment: Date): number => nowMs - moment.getTime();
  if (page.state === 'opening') {
    const answerMs = ANSWER_MS + (page.consentAskedAt === null ? 0 : TERMINAL_CONSENT_MS);
    return since(page.openedAt) > answerMs ? 'not-answered' : undefined;
  }
  if (since(page.endsAt) > 0) return 'too-long';
  if (since(page.usedAt) > WEB_PAGE_IDLE_MS) return 'idle';
  return since(page.seenAt) > WEB_PAGE_SILENCE_MS ? 'device-lost' : undefined;
}
