import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Select from '@cloudscape-design/components/select';
import Textarea from '@cloudscape-design/components/textarea';
import Toggle from '@cloudscape-design/components/toggle';
import type { ReactNode } from 'react';
import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { constraintWords } from './constraint-words.ts';
import type { FieldValue, Pair } from './form-model.ts';
import { MapListEditor } from './map-list-editor.tsx';
import { PairsEditor } from './pairs-editor.tsx';
import type { Suggestions } from './suggestions/software-suggestions.ts';

export interface ParameterFieldProps {
  readonly name: string;
  /** The label in words. */
  readonly title: string;
  readonly parameter: DocumentParameter;
  /** The description of the parameter. */
  readonly about: string | undefined;
  readonly value: FieldValue;
  readonly secret: boolean;
  /** Known values of a text; other text can be entered. */
  readonly suggestions?: Suggestions | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: FieldValue) => void;
  readonly onLeave: () => void;
}

export const parameterFieldId = (name: string): string => `parameter-${name}`;

/** The control for a parameter of a given type. */
export function ParameterField(props: ParameterFieldProps): ReactNode {
  const { name, title, parameter, about, error } = props;
  const t = useT();
  const format = useFormat();
  const isLines = parameter.type === 'StringList' && parameter.allowedValues === undefined;
  const constraint = format.sentences([
    isLines ? t('commands.form.onePerLine') : '',
    constraintWords(about === undefined ? parameter : withoutPattern(parameter), t),
  ]);
  return (
    <FormField
      label={title}
      description={about}
      constraintText={constraint === '' ? undefined : constraint}
      errorText={error}
      controlId={parameterFieldId(name)}
      stretch={parameter.displayType === 'textarea'}
    >
      <Control {...props} />
    </FormField>
  );
}

/**
 * Omits the pattern if the description states the format. A value that does not match is still
 * reported.
 */
function withoutPattern(parameter: DocumentParameter): DocumentParameter {
  const { allowedPattern: _told, ...rest } = parameter;
  return rest;
}

function Control(props: ParameterFieldProps): ReactNode {
  const { parameter, value, onChange, onLeave } = props;
  switch (parameter.type) {
    case 'Boolean':
      return <BooleanControl {...props} />;
    case 'StringList':
      return <ListControl {...props} />;
    case 'StringMap':
      return <PairsEditor pairs={value as readonly Pair[]} onChange={onChange} onLeave={onLeave} />;
    case 'MapList':
      return (
        <MapListEditor
          maps={value as readonly (readonly Pair[])[]}
          onChange={onChange}
          onLeave={onLeave}
        />
      );
    default:
      return <TextControl {...props} />;
  }
}

function BooleanControl({ title, value, onChange, onLeave }: ParameterFieldProps): ReactNode {
  const t = useT();
  return (
    <Toggle
      checked={value === true}
      ariaLabel={title}
      onBlur={onLeave}
      onChange={({ detail }) => onChange(detail.checked)}
    >
      {value === true ? t('commands.form.yes') : t('commands.form.no')}
    </Toggle>
  );
}

function TextControl(props: ParameterFieldProps): ReactNode {
  const { parameter, secret, onChange, onLeave } = props;
  const t = useT();
  const value = String(props.value);
  const leave = { onBlur: onLeave };
  if (parameter.allowedValues !== undefined) {
    const options = parameter.allowedValues.map((allowed) => ({ value: String(allowed) }));
    return (
      <Select
        options={options}
        selectedOption={value === '' ? null : { value }}
        placeholder={t('commands.form.choose')}
        filteringType={options.length > 10 ? 'auto' : 'none'}
        {...leave}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    );
  }
  if (parameter.displayType === 'textarea' && !secret) {
    return (
      <Textarea
        value={value}
        rows={Math.min(20, Math.max(4, value.split('\n').length + 1))}
        spellcheck={false}
        className="dp-command-script"
        {...leave}
        onChange={({ detail }) => onChange(detail.value)}
      />
    );
  }
  if (props.suggestions !== undefined && !secret) {
    return (
      <Autosuggest
        value={value}
        options={props.suggestions.map(({ label, options }) => ({ label, options }))}
        enteredTextLabel={(text) => t('commands.suggest.use', { text })}
        empty={t('commands.suggest.none')}
        clearAriaLabel={t('commands.suggest.clear')}
        expandToViewport
        {...leave}
        onChange={({ detail }) => onChange(detail.value)}
      />
    );
  }
  return (
    <Input
      value={value}
      type={secret ? 'password' : 'text'}
      inputMode={parameter.type === 'Integer' ? 'numeric' : 'text'}
      autoComplete={false}
      spellcheck={false}
      {...leave}
      onChange={({ detail }) => onChange(detail.value)}
    />
  );
}

function ListControl({ parameter, value, onChange, onLeave }: ParameterFieldProps): ReactNode {
  const t = useT();
  const items = value as readonly string[];
  if (parameter.allowedValues !== undefined) {
    return (
      <Multiselect
        options={parameter.allowedValues.map((allowed) => ({ value: String(allowed) }))}
        selectedOptions={items.map((item) => ({ value: item }))}
        placeholder={t('commands.form.chooseSeveral')}
        onBlur={onLeave}
        onChange={({ detail }) =>
          onChange(detail.selectedOptions.map((option) => option.value ?? ''))
        }
      />
    );
  }
  return (
    <Textarea
      value={items.join('\n')}
      rows={Math.min(12, Math.max(3, items.length + 1))}
      spellcheck={false}
      onBlur={onLeave}
      onChange={({ detail }) => onChange(detail.value === '' ? [] : detail.value.split('\n'))}
    />
  );
}
