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

/** The fields of an event's data that name a person besides its actor. */
export function namesIn({ type, data }: Pick<AuditEvent, 'type' | 'data'>): string[] {
  return [...always, ...(byType[type] ?? [])].filter((field) => typeof data[field] === 'string');
}
