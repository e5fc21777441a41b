import Box from '@cloudscape-design/components/box';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { isPermission, plainPermissions } from '@deviceportal/contract/permissions';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { permissionWords } from './roles/permission-words.ts';
import { WhoCanTable } from './who-can-table.tsx';

export interface WhoCanProps {
  /** A permission or the name of a command. Empty before a selection. */
  readonly can: string;
  readonly device: string;
  readonly onChange: (part: { readonly can?: string; readonly device?: string }) => void;
}

/** The users who can do something, on any device or a given one, and the roles that grant it. */
export function WhoCanPanel({ can, device, onChange }: WhoCanProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [typed, setTyped] = useState(device);
  const commands = useQuery(api.commands.list.queryOptions()).data;
  const options = useMemo(
    () =>
      optionsOf(
        (commands ?? []).map(({ command }) => command),
        t,
      ),
    [commands, t],
  );
  const chosen = options.flatMap((group) => group.options).find(({ value }) => value === can);
  return (
    <Container
      header={
        <Header variant="h2" description={t('access.whoCan.description')}>
          {t('access.whoCan.tab')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <ColumnLayout columns={2}>
          <FormField label={t('access.whoCan.what')}>
            <Select
              options={options}
              selectedOption={chosen ?? null}
              filteringType="auto"
              placeholder={t('access.whoCan.choose')}
              filteringAriaLabel={t('access.whoCan.what')}
              onChange={({ detail }) => onChange({ can: detail.selectedOption.value ?? '' })}
            />
          </FormField>
          <FormField label={t('access.whoCan.device')}>
            <Input
              value={typed}
              placeholder={t('access.whoCan.anyDevice')}
              onChange={({ detail }) => setTyped(detail.value)}
              onBlur={() => onChange({ device: typed.trim() })}
              onKeyDown={({ detail }) => {
                if (detail.key === 'Enter') onChange({ device: typed.trim() });
              }}
            />
          </FormField>
        </ColumnLayout>
        {can === '' ? (
          <Box color="text-body-secondary">{t('access.whoCan.hint')}</Box>
        ) : (
          <WhoCanTable can={can} device={device} />
        )}
      </SpaceBetween>
    </Container>
  );
}

interface Group extends SelectProps.OptionGroup {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

function optionsOf(commands: readonly string[], t: Translate): Group[] {
  return [
    {
      label: t('access.role.permissions'),
      options: plainPermissions.filter(isPermission).map((permission) => ({
        value: permission,
        label: permissionWords(permission, t),
      })),
    },
    {
      label: t('access.area.commands'),
      options: commands.map((command) => ({
        value: command,
        label: t('access.permission.runOne', { command }),
      })),
    },
  ];
}
