import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { API_TOKEN_DAYS, type NewApiToken } from '@deviceportal/contract/api-tokens';
import { useT } from '../i18n/use-t.ts';

/** Properties of the dialogs that create a token. */
export interface CreateTokenProps {
  readonly mostDays: number;
  readonly onMade: (token: NewApiToken, name: string) => void;
  readonly onClose: () => void;
}

export interface TokenBasicsProps {
  readonly name: string;
  readonly days: string;
  readonly mostDays: number;
  readonly issues: ReadonlyMap<string, string>;
  readonly onName: (name: string) => void;
  readonly onDays: (days: string) => void;
}

/** Name and lifetime of a new token. */
export function TokenBasics(props: TokenBasicsProps): ReactNode {
  const { name, days, mostDays, issues, onName, onDays } = props;
  const t = useT();
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('apiTokens.name')}
        description={t('apiTokens.nameHint')}
        errorText={issues.get('name')}
      >
        <Input value={name} onChange={({ detail }) => onName(detail.value.slice(0, 64))} />
      </FormField>
      <FormField
        label={t('apiTokens.days')}
        constraintText={t('apiTokens.daysHint', { least: API_TOKEN_DAYS.least, most: mostDays })}
        errorText={issues.get('days')}
      >
        <Input
          type="number"
          inputMode="numeric"
          value={days}
          onChange={({ detail }) => onDays(detail.value)}
        />
      </FormField>
    </SpaceBetween>
  );
}
