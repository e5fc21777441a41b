import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import type { ReactNode } from 'react';
import type { RulePartProps } from './rule-part-props.ts';

type NumberName =
  | 'minutes'
  | 'metricValue'
  | 'above'
  | 'resolveAt'
  | 'holdMinutes'
  | 'resolveMinutes';

/** A number of a rule, as it is typed. */
export function NumberField({
  draft,
  issues,
  onChange,
  field,
  label,
  range,
  placeholder,
}: RulePartProps & {
  readonly field: NumberName;
  readonly label: string;
  readonly range: { readonly min: number; readonly max: number };
  readonly placeholder?: string;
}): ReactNode {
  return (
    <FormField label={label} errorText={issues.get(field)}>
      <Input
        type="number"
        inputMode="decimal"
        value={draft[field]}
        {...(placeholder !== undefined && { placeholder })}
        nativeInputAttributes={{ min: range.min, max: range.max, step: 'any' }}
        onChange={({ detail }) => onChange({ [field]: detail.value })}
      />
    </FormField>
  );
}
