import { z } from 'zod';
import { refuse } from '@deviceportal/contract/refuse';
import type { InvitedUser } from './user-directory.ts';

const email = z.email().max(320);
const phone = /^\+[1-9]\d{6,14}$/;

/** An e-mail address or an international phone number; undefined for anything else. */
function parseContact(text: string): Pick<InvitedUser, 'email' | 'phoneNumber'> | undefined {
  if (email.safeParse(text).success) return { email: text, phoneNumber: undefined };
  const compact = text.replaceAll(/[\s().-]/g, '');
  return phone.test(compact) ? { email: undefined, phoneNumber: compact } : undefined;
}

/**
 * Reads by what somebody signs in and where their codes go: an address or number is both, a user name needs one of
 * them beside it.
 * @throws PortalError 2004 at the field
 */
export function parseInvited(invitation: {
  readonly identifier: string;
  readonly contact: string;
  readonly name: string;
}): InvitedUser {
  const identifier = invitation.identifier.normalize('NFKC').trim();
  const name = invitation.name === '' ? undefined : invitation.name;
  const own = parseContact(identifier);
  if (own !== undefined) return { ...own, username: own.email ?? own.phoneNumber ?? '', name };
  if (identifier.includes('@') || identifier.startsWith('+') || /\s/.test(identifier)) {
    throw refuse('identifier-invalid', { field: 'identifier' });
  }
  const contact = parseContact(invitation.contact.normalize('NFKC').trim());
  if (contact === undefined) {
    throw refuse('contact-invalid', { field: 'contact' });
  }
  return { ...contact, username: identifier, name };
}
