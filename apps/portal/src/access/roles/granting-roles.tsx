import type { ReactNode } from 'react';
import type { AbleUser } from '@deviceportal/contract/access';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { scopeWords } from './permission-words.ts';
import { roleName } from './role-words.ts';

/** The roles that grant a permission, with the scope of each. */
export function GrantingRoles({ roles }: Pick<AbleUser, 'roles'>): ReactNode {
  const t = useT();
  const format = useFormat();
  return roles.map((role) => (
    <div key={role.id}>
      <PortalLink href={`/uam/roles/${role.id}`}>{roleName(role.name, t)}</PortalLink>
      {' · '}
      {scopeWords(role.scope, t, format)}
    </div>
  ));
}
