import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';

/** A text field with one address per line. */
export function AddressLines(props: {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { label, hint, error, value, onChange } = props;
  return (
    <FormField
      label={label}
      description={hint}
      {...(error !== undefined && { errorText: error })}
      stretch
    >
      <Textarea
        value={value}
        rows={Math.min(6, Math.max(2, value.split('\n').length))}
        spellcheck={false}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}

/** The lines of the text without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
