import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useT } from '../../i18n/use-t.ts';
import type { FieldValue, FieldValues } from './form-model.ts';
import { ParameterField } from './parameter-field.tsx';
import { parameterAbout, parameterTitle } from './parameter-words.ts';
import { useSoftwareSuggestions } from './suggestions/use-software-suggestions.ts';

export interface ParameterFieldsProps {
  readonly form: CommandForm;
  readonly fields: FieldValues;
  /** The device on which the command runs, if it is a single one. */
  readonly device?: DeviceDetail | undefined;
  /** The problem of a value, in the language of the viewer. */
  readonly issueOf: (name: string) => string | undefined;
  readonly onField: (name: string, value: FieldValue) => void;
  readonly onLeave: (name: string) => void;
}

/** A field for each parameter of a document. */
export function ParameterFields(props: ParameterFieldsProps): ReactNode {
  const { form, fields, issueOf, onField, onLeave } = props;
  const t = useT();
  const suggestions = useSoftwareSuggestions(form, fields, props.device);
  return (
    <SpaceBetween size="m">
      {Object.entries(form.parameters).map(([name, parameter]) => (
        <ParameterField
          key={name}
          name={name}
          title={parameterTitle(form.documentName, name, t)}
          suggestions={suggestions[name]}
          parameter={parameter}
          about={parameterAbout(form.documentName, [name, parameter], t)}
          value={fields[name] ?? ''}
          secret={form.secretParameters.includes(name)}
          error={issueOf(name)}
          onChange={(value) => onField(name, value)}
          onLeave={() => onLeave(name)}
        />
      ))}
    </SpaceBetween>
  );
}
