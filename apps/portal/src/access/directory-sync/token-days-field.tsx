import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import type { ReactNode } from 'react';
import { SCIM_TOKEN_DAYS } from '@deviceportal/contract/scim';
import { useT } from '../../i18n/use-t.ts';

/** For how many days a new token is valid. */
export function TokenDaysField({
  days,
  errorText,
  onChange,
}: {
  readonly days: string;
  readonly errorText?: string | undefined;
  readonly onChange: (days: string) => void;
}): ReactNode {
  const t = useT();
  const { least, most } = SCIM_TOKEN_DAYS;
  return (
    <FormField
      label={t('access.directory.days')}
      constraintText={t('access.directory.daysHint', { least, most })}
      errorText={errorText}
    >
      <Input
        type="number"
        inputMode="numeric"
        value={days}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}
