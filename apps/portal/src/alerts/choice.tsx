import Select from '@cloudscape-design/components/select';
import type { ReactNode } from 'react';

/** One of a few values. */
export function Choice<const Value extends string>({
  options,
  value,
  onChange,
}: {
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}): ReactNode {
  return (
    <Select
      options={options}
      selectedOption={options.find((option) => option.value === value) ?? null}
      onChange={({ detail }) => {
        const chosen = options.find((option) => option.value === detail.selectedOption.value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
    />
  );
}
