import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** Fields of an event's data that name a person besides its actor, whatever the event. */
const always = ['username', 'author', 'sourceIdentity'];
/** Those that do so in events of one type; elsewhere they are a state or a version. */
const byType: Readonly<Record<string, readonly string[]>> = {
  'air-blast.taken-over': ['from'],
  'report.opened': ['by'],
};

/** Every field that may name a person. */
export const nameFields = [...always, ...Object.values(byType).flat()];

/** Fields that say something of the customer whose id is in `personId`, and name no one. */
const ofCustomer: Readonly<Record<string, readonly string[]>> = {
  'case.opened': ['ticket'],
  'case.updated': ['ticket', 'ticketBefore'],
};

/** The fields of an event's data that are sealed with the key of the customer whom it is about. */
export function customerFieldsIn({ type, data }: Pick<AuditEvent, 'type' | 'data'>): string[] {
  if (typeof data['personId'] !== 'string') return [];
  return (ofCustomer[type] ?? []).filter((field) => typeof data[field] === 'string');
}

/** Whether an event names an account: its username is not one that a stranger or a device made up. */
export const namesAccount = ({ type, data }: Pick<AuditEvent, 'type' | 'data'>): boolean =>
  type === 'access.user-created' ||
  (/^(access|provider)\./.test(type) && typeof data['subject'] === 'string');

/** The fields of an event's data that name a person besides its actor. */
export function namesIn({ type, data }: Pick<AuditEvent, 'type' | 'data'>): string[] {
  return [...always, ...(byType[type] ?? [])].filter((field) => typeof data[field] === 'string');
}
