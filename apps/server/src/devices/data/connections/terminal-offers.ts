import type { TerminalOfferState } from '@deviceportal/contract/terminals';
import type { Executor } from '../../../platform/database/database.ts';
import { findReach, type Reach } from './find-reach.ts';

interface TerminalOffer extends Pick<
  Reach,
  'isConnected' | 'isServed' | 'name' | 'model' | 'fingerprint'
> {
  readonly offer: TerminalOfferState;
  /** Whether it can ask a person for consent. */
  readonly asksConsent: boolean;
}

/** Whether a device offers terminals, as its agent stated, and whether it is connected. */
export async function findTerminalOffer(on: Executor, deviceId: string): Promise<TerminalOffer> {
  const { terminalOffer, terminalConsent, ...reach } = await findReach(on, deviceId);
  return { offer: terminalOffer ?? 'unsupported', asksConsent: terminalConsent, ...reach };
}
