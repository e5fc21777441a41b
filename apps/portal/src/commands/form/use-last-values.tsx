import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { fieldOf, type FieldValue, type FieldValues } from './form-model.ts';

export interface UseLastValuesProps {
  readonly form: CommandForm;
  readonly fields: FieldValues;
  readonly onField: (name: string, value: FieldValue) => void;
}

/** A button that fills in the values of the last run. Hidden if the fields already have them. */
export function UseLastValues({ form, fields, onField }: UseLastValuesProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const last = lastFields(form);
  const differing = Object.entries(last).filter(
    ([name, value]) => JSON.stringify(fields[name]) !== JSON.stringify(value),
  );
  if (form.lastValues === null || differing.length === 0) return null;
  const at = format.absolute(Date.parse(form.lastValues.at));
  return (
    <Button
      iconName="undo"
      ariaLabel={t('commands.form.lastValuesOf', { at })}
      onClick={() => {
        for (const [name, value] of differing) onField(name, value);
      }}
    >
      {t('commands.form.lastValues')}
    </Button>
  );
}

/** Values of parameters that still exist with the same type. */
function lastFields({ parameters, lastValues }: CommandForm): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const value = fieldOf(parameter, lastValues?.parameters[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
