import type { RoleRow } from '@deviceportal/contract/access';
import type { MessageKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/use-t.ts';

/**
 * The description of a role: in the viewer’s language for built-in roles, as entered for custom
 * ones.
 */
export function roleAbout(
  role: Pick<RoleRow, 'name' | 'description' | 'builtin'>,
  t: Translate,
): string {
  if (!role.builtin) return role.description;
  const key = `access.builtin.${role.name}` as MessageKey;
  const words = t(key);
  return words === key ? role.description : words;
}

const builtin = ['Administrator', 'Operator', 'Support', 'Auditor', 'Viewer'] as const;

/**
 * The name of a role, translated for built-in roles. Names are unique and therefore serve as keys.
 */
export function roleName(name: string, t: Translate): string {
  const known = builtin.find((each) => each === name);
  return known === undefined ? name : t(`app.role.${known}`);
}
