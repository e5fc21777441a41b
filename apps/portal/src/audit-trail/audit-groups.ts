import { auditTypes } from '@deviceportal/contract/audit-trail';

/** Groups of event types in the filter. */
export const auditGroups = [
  'device',
  'command',
  'schedule',
  'document',
  'case',
  'access',
  'settings',
  'evidence',
  'device-event',
] as const;
export type AuditGroup = (typeof auditGroups)[number];

/** A group as a filter of the server. Evidence has two prefixes and therefore no filter. */
export const groupFilters: Readonly<Partial<Record<AuditGroup, string>>> = {
  device: 'device.*',
  command: 'command.*',
  schedule: 'schedule.*',
  document: 'document.*',
  case: 'case.*',
  access: 'access.*',
  settings: 'settings.*',
  'device-event': 'device-event.*',
};

export function auditGroupOf(type: string): AuditGroup {
  const prefix = type.split('.')[0] ?? '';
  return auditGroups.find((group) => group === prefix) ?? 'evidence';
}

/** Types of the product and types that occur, by group and then by name. */
export function groupedTypes(occurring: readonly string[]): readonly string[] {
  const all = [...new Set([...auditTypes, ...occurring])];
  return auditGroups.flatMap((group) => all.filter((type) => auditGroupOf(type) === group));
}
