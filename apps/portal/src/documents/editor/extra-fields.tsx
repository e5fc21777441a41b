import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { consequences, type Consequence } from '@deviceportal/contract/permissions';
import { useT } from '../../i18n/use-t.ts';

/** Properties of a version that SSM does not support. */
export interface ExtraProperties {
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  /** Pre-check, verification, and undo. */
  readonly phasesText: string;
}

export interface ExtraFieldsProps {
  readonly value: ExtraProperties;
  /** Parameter names of the current text. */
  readonly parameters: readonly string[];
  readonly onChange: (part: Partial<ExtraProperties>) => void;
}

export function ExtraFields({ value, parameters, onChange }: ExtraFieldsProps): ReactNode {
  const t = useT();
  const missing = value.secretParameters.filter((name) => !parameters.includes(name));
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('documents.columns.consequence')}
        description={t('documents.new.consequenceHint')}
      >
        <RadioGroup
          value={value.consequence}
          items={consequences.map((each) => ({
            value: each,
            label: t(`commands.consequence.${each}`),
            description: t(`commands.effect.${each}`),
          }))}
          onChange={({ detail }) => onChange({ consequence: detail.value as Consequence })}
        />
      </FormField>
      <FormField
        label={t('documents.new.secrets')}
        description={t('documents.new.secretsHint')}
        errorText={
          missing.length === 0
            ? undefined
            : t('documents.edit.secretsMissing', { names: missing.join(', ') })
        }
      >
        <Multiselect
          options={[...parameters, ...missing].map((name) => ({ value: name }))}
          selectedOptions={value.secretParameters.map((name) => ({ value: name }))}
          placeholder={t('documents.new.secretsChoose')}
          empty={t('documents.parameters.none')}
          onChange={({ detail }) =>
            onChange({
              secretParameters: detail.selectedOptions.map(({ value: name = '' }) => name),
            })
          }
        />
      </FormField>
    </SpaceBetween>
  );
}
