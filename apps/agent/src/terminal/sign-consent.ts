import { createHash, sign } from 'node:crypto';
import {
  consentText,
  type SignedConsent,
  type TerminalConsent,
} from '@deviceportal/device-protocol/terminal-consent';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import type { Identity } from '../store/identity-file.ts';

/**
 * A consent with the signature of the device.
 * @param textOf the bytes that are signed; different for each kind of session
 */
export function signConsent(
  consent: TerminalConsent,
  { privateKey, certificate }: Pick<Identity, 'privateKey' | 'certificate'>,
  textOf: (payload: string) => string = consentText,
): SignedConsent {
  const payload = JSON.stringify(consent);
  const signature = sign('sha256', Buffer.from(textOf(payload)), privateKey);
  return { payload, signature: signature.toString('base64'), certificate };
}

export const digestOfRequest = ({ payload }: SignedStatement): string =>
  createHash('sha256').update(payload).digest('hex');
