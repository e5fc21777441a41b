import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';

const HOUR_MS = 3_600_000;
const choices = [1, 24, 72, 168, 720, 2_160, 8_760];

/** The validity period of a claim. */
export function LifetimeField({
  hours,
  maxHours = Infinity,
  onChange,
}: {
  readonly hours: number;
  readonly maxHours?: number;
  readonly onChange: (hours: number) => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const options = choices
    .filter((value) => value <= maxHours)
    .map((value) => ({
      value: String(value),
      label: format.duration(value * HOUR_MS),
    }));
  return (
    <FormField label={t('devices.claim.lifetime')}>
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === String(hours)) ?? null}
        onChange={({ detail }) => onChange(Number(detail.selectedOption.value))}
      />
    </FormField>
  );
}
