import type { WebPageOffer } from '@deviceportal/contract/web-pages';
import { findReach, type Reach } from '../devices/data/connections/find-reach.ts';
import type { Executor } from '../platform/database/database.ts';
import { findConsentRule } from '../terminals/data/consent-queries.ts';
import type { WebPageDeps } from './web-page-deps.ts';

interface OfferedPages extends Pick<Reach, 'isConnected'> {
  readonly offer: WebPageOffer;
  readonly pages: NonNullable<Reach['webPages']>;
  /** Models have one rule for terminals and web pages. */
  readonly consent: Awaited<ReturnType<typeof findConsentRule>>;
  /** Whether it can ask a person for consent. */
  readonly asksConsent: boolean;
}

/** The web pages of a device, as its agent stated, and whether they can be opened. */
export async function findOfferedPages(
  on: Executor,
  deviceId: string,
  { webPageOrigin }: Pick<WebPageDeps, 'webPageOrigin'>,
): Promise<OfferedPages> {
  const { webPages, isConnected, model, terminalConsent } = await findReach(on, deviceId);
  const pages = webPages ?? [];
  const offer = pages.length === 0 ? 'off' : 'available';
  return {
    ...{ pages, isConnected, asksConsent: terminalConsent },
    offer: (webPages === null && 'unsupported') || (webPageOrigin === null ? 'not-set-up' : offer),
    consent: await findConsentRule(on, model),
  };
}
