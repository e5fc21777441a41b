import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { roleName } from '../roles/role-words.ts';

/**
 * States that something ends with the temporary access with which it was created. Renders nothing
 * otherwise.
 */
export function GrantEndNote({ bond }: { readonly bond: AccessGrantBond | null }): ReactNode {
  const t = useT();
  const format = useFormat();
  if (bond === null) return null;
  const time = format.absolute(Date.parse(bond.endsAt));
  return (
    <Box variant="small" color="text-body-secondary" display="block">
      {t('access.accessGrant.bond', { role: roleName(bond.role, t), time })}
    </Box>
  );
}
