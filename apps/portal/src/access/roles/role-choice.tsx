import Multiselect from '@cloudscape-design/components/multiselect';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { roleAbout, roleName } from './role-words.ts';

export interface RoleChoiceProps {
  /** IDs of roles. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/**
 * Selects roles to assign. Roles with a permission that the viewer does not have are disabled with
 * the reason.
 */
export function RoleChoice({ chosen, onChange }: RoleChoiceProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { detail: viewer } = useViewer();
  const roles = useQuery(api.access.roles.list.queryOptions()).data ?? [];
  const options = roles.map((role) => {
    const isBeyond = permissionsBeyond(viewer.grants, role).length > 0;
    return {
      value: role.id,
      label: roleName(role.name, t),
      description: roleAbout(role, t),
      ...(isBeyond ? { disabled: true, disabledReason: t('access.form.notHeld') } : {}),
    };
  });
  return (
    <Multiselect
      options={options}
      selectedOptions={options.filter(({ value }) => chosen.includes(value))}
      placeholder={t('access.invite.noRole')}
      deselectAriaLabel={({ label }) => t('access.form.removeOne', { name: label ?? '' })}
      onChange={({ detail }) =>
        onChange(detail.selectedOptions.flatMap(({ value }) => value ?? []))
      }
    />
  );
}
