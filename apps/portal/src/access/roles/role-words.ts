import type { RoleRow } from '@deviceportal/contract/access';
import type { MessageKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/use-t.ts';

/** Roles that come with the product are described in the person's language, own ones as they were written. */
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

/** A role's name: those that come with the product have one in every language. Names are unique, so a name is a key. */
export function roleName(name: string, t: Translate): string {
  const known = builtin.find((each) => each === name);
  return known === undefined ? name : t(`app.role.${known}`);
}
