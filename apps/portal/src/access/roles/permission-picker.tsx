import Box from '@cloudscape-design/components/box';
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  consequences,
  holds,
  plainPermissions,
  type Permission,
} from '@deviceportal/contract/permissions';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import {
  areaOf,
  isSingleCommand,
  permissionAreas,
  permissionWords,
  riskOf,
  sortPermissions,
  type PermissionArea,
} from './permission-words.ts';
import { RiskBadge } from './risk-badge.tsx';

const offered: readonly Permission[] = sortPermissions([
  ...plainPermissions,
  ...consequences.map((each) => `commands:run:@${each}` as const),
]);

export interface PermissionPickerProps {
  readonly chosen: readonly Permission[];
  readonly onChange: (chosen: readonly Permission[]) => void;
}

/**
 * All permissions by area, with their risk. Permissions that the viewer does not have are disabled.
 */
export function PermissionPicker({ chosen, onChange }: PermissionPickerProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <ColumnLayout columns={2}>
        {permissionAreas.map((area) => (
          <Area key={area} area={area} chosen={chosen} onChange={onChange} />
        ))}
      </ColumnLayout>
      <FormField
        label={t('access.form.commands')}
        description={t('access.form.commandsHint')}
        stretch
      >
        <SingleCommands chosen={chosen} onChange={onChange} />
      </FormField>
    </SpaceBetween>
  );
}

function Area({
  area,
  chosen,
  onChange,
}: PermissionPickerProps & { readonly area: PermissionArea }): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  const toggle = (permission: Permission, isChosen: boolean): void =>
    onChange(
      isChosen
        ? sortPermissions([...chosen, permission])
        : chosen.filter((other) => other !== permission),
    );
  return (
    <SpaceBetween size="xxs">
      <Box variant="h3">{t(`access.area.${area}`)}</Box>
      {offered
        .filter((permission) => areaOf(permission) === area)
        .map((permission) => (
          <Checkbox
            key={permission}
            checked={chosen.includes(permission)}
            disabled={!holds(detail.grants, permission)}
            description={holds(detail.grants, permission) ? permission : t('access.form.notHeld')}
            onChange={({ detail: { checked } }) => toggle(permission, checked)}
          >
            {permissionWords(permission, t)} <RiskBadge risk={riskOf(permission)} />
          </Checkbox>
        ))}
    </SpaceBetween>
  );
}

function SingleCommands({ chosen, onChange }: PermissionPickerProps): ReactNode {
  const t = useT();
  const api = useApi();
  const commands = useQuery(api.commands.list.queryOptions()).data ?? [];
  const options = commands.map(({ command, description }) => ({
    value: command,
    label: command,
    description,
  }));
  const single = chosen.filter(isSingleCommand);
  return (
    <Multiselect
      options={options}
      selectedOptions={single.map((permission) => {
        const command = permission.slice('commands:run:'.length);
        return { value: command, label: command };
      })}
      filteringType="auto"
      placeholder={t('access.form.commandsNone')}
      deselectAriaLabel={({ label }) => t('access.form.removeOne', { name: label ?? '' })}
      onChange={({ detail }) =>
        onChange(
          sortPermissions([
            ...chosen.filter((permission) => !isSingleCommand(permission)),
            ...detail.selectedOptions.map(({ value }) => `commands:run:${value ?? ''}` as const),
          ]),
        )
      }
    />
  );
}
