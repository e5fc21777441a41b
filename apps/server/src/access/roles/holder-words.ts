import type { Permission } from '@deviceportal/contract/permissions';

/** Whom to ask, in words: by their roles, or by the permission where no role holds it. */
export function holderWords(roles: readonly string[], permission: Permission): string {
  return roles.length === 0 ? `the permission ${permission}` : `the role ${roles.join(' or ')}`;
}
