import type { Permission } from '@deviceportal/contract/permissions';

/** The permissions with which a report reads its parts. */
export const reportReads: readonly Permission[] = [
  'devices:read',
  'people:read',
  'commands:read',
  'audit-trail:read',
  'versions:read',
  'locations:read',
];
