import { z } from 'zod';
import { refuse } from '@deviceportal/contract/refuse';
import { isServiceActorName } from '@deviceportal/contract/service-actor-name';
import type { InvitedUser } from './user-directory.ts';

const email = z.email().max(320);
const phone = /^\+[1-9]\d{6,14}$/;

/** An email address or an international phone number; undefined for other texts. */
function parseContact(text: string): Pick<InvitedUser, 'email' | 'phoneNumber'> | undefined {
  if (email.safeParse(text).success) return { email: text, phoneNumber: undefined };
  const compact = text.replaceAll(/[\s().-]/g, '');
  return phone.test(compact) ? { email: undefined, phoneNumber: compact } : undefined;
}

/**
 * Parses the sign-in identifier and the contact for codes. An email address or phone number is both; a username
 * requires an additional contact.
 * @throws PortalError 2004 with the field
 */
export function parseInvitation(invitation: {
  readonly identifier: string;
  readonly contact: string;
  readonly name: string;
}): InvitedUser {
  const identifier = invitation.identifier.normalize('NFKC').trim();
  const name = invitation.name === '' ? undefined : invitation.name;
  if (name !== undefined && isServiceActorName(name))
    throw refuse('name-reserved', { field: 'name' });
  const own = parseContact(identifier);
  if (own !== undefined) return { ...own, username: own.email ?? own.phoneNumber ?? '', name };
  const isReserved = isServiceActorName(identifier);
  if (isReserved || /[@\s]/.test(identifier) || identifier.startsWith('+')) {
    throw refuse('identifier-invalid', { field: 'identifier' });
  }
  const contact = parseContact(invitation.contact.normalize('NFKC').trim());
  if (contact === undefined) {
    throw refuse('contact-invalid', { field: 'contact' });
  }
  return { ...contact, username: identifier, name };
}
