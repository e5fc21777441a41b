import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Permission } from '@deviceportal/contract/permissions';
import { permissionWords, riskOf, sortPermissions } from '../access/roles/permission-words.ts';
import { RiskBadge } from '../access/roles/risk-badge.tsx';
import { useT } from '../i18n/use-t.ts';
import { useHeldPermissions } from './use-held-permissions.ts';

/** The permissions of the viewer that a token can have. */
export function HeldPermissions({
  chosen,
  onChange,
}: {
  readonly chosen: readonly Permission[];
  readonly onChange: (chosen: readonly Permission[]) => void;
}): ReactNode {
  const t = useT();
  const held = useHeldPermissions();
  return (
    <FormField
      label={t('apiTokens.permissions')}
      description={t('apiTokens.permissionsHint')}
      stretch
    >
      <SpaceBetween size="xxs">
        {held.map((permission) => (
          <Checkbox
            key={permission}
            checked={chosen.includes(permission)}
            onChange={({ detail: { checked } }) =>
              onChange(
                checked
                  ? sortPermissions([...chosen, permission])
                  : chosen.filter((other) => other !== permission),
              )
            }
          >
            {permissionWords(permission, t)} <RiskBadge risk={riskOf(permission)} />
          </Checkbox>
        ))}
      </SpaceBetween>
    </FormField>
  );
}
