import { createHash, sign } from 'node:crypto';
import {
  consentText,
  type SignedConsent,
  type TerminalConsent,
} from '@deviceportal/device-protocol/terminal-consent';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import type { Identity } from '../store/identity-file.ts';

/** A consent with the signature of the device. */
export function signConsent(
  consent: TerminalConsent,
  { privateKey, certificate }: Pick<Identity, 'privateKey' | 'certificate'>,
): SignedConsent {
  const payload = JSON.stringify(consent);
  const signature = sign('sha256', Buffer.from(consentText(payload)), privateKey);
  return { payload, signature: signature.toString('base64'), certificate };
}

export const digestOfRequest = ({ payload }: SignedStatement): string =>
  createHash('sha256').update(payload).digest('hex');
