import { parsePhoneNumber } from '../user-pool/identifier.ts';
import type { MessageChannel } from '../../messenger.ts';

export interface CodeDestination {
  readonly channel: MessageChannel;
  readonly to: string;
}

/**
 * Destination of a code: text message for a typed phone number, email otherwise, or the other one
 * if the user has only that. Unverified addresses receive nothing.
 */
export function codeDestination(
  attributes: Readonly<Record<string, string>>,
  identifier: string | undefined,
): CodeDestination | undefined {
  const email = verified(attributes, 'email');
  const phone = verified(attributes, 'phone_number');
  const typedPhone = identifier === undefined ? undefined : parsePhoneNumber(identifier);
  if (phone !== undefined && (email === undefined || typedPhone === phone)) {
    return { channel: 'sms', to: phone };
  }
  return email === undefined ? undefined : { channel: 'email', to: email };
}

function verified(
  attributes: Readonly<Record<string, string>>,
  name: 'email' | 'phone_number',
): string | undefined {
  return attributes[`${name}_verified`] === 'true' ? attributes[name] : undefined;
}

/** `anna@corp.example` becomes `a•••@corp.example`, `+48123456789` becomes `+48•••••••89`. */
export function maskDestination({ channel, to }: CodeDestination): string {
  if (channel === 'email') {
    const at = to.lastIndexOf('@');
    return `${to.slice(0, 1)}•••${to.slice(at)}`;
  }
  return `${to.slice(0, 3)}${'•'.repeat(Math.max(3, to.length - 5))}${to.slice(-2)}`;
}
