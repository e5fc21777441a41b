import Autosuggest, { type AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import type { ReactNode } from 'react';

export interface KnownSuggestProps {
  readonly value: string;
  readonly label: string;
  readonly empty: string;
  readonly options: readonly AutosuggestProps.Option[];
  /**
   * The label of the option that enters the typed text as it is. Without a label there is no such
   * option.
   */
  readonly typedLabel?: (text: string) => string;
  readonly onChange: (value: string) => void;
}

/**
 * A text field that suggests known values first. Enter selects the first one; the typed text is the
 * last option.
 */
export function SuggestField({
  value,
  label,
  empty,
  options,
  typedLabel,
  onChange,
}: KnownSuggestProps): ReactNode {
  const text = value.trim().toLowerCase();
  const isKnown = options.some((option) => option.value === value);
  const matches = isKnown
    ? options
    : options.filter((option) => option.value?.toLowerCase().includes(text));
  const typed =
    typedLabel === undefined || isKnown || text === '' ? [] : [{ value, label: typedLabel(value) }];
  return (
    <Autosuggest
      value={value}
      ariaLabel={label}
      empty={empty}
      filteringType="manual"
      hideEnteredTextOption
      options={[...matches, ...typed]}
      onChange={({ detail }) => onChange(detail.value)}
      onSelect={({ detail }) => {
        if (detail.selectedOption !== undefined || isKnown || text === '') return;
        const best = matches.find(({ disabled }) => disabled !== true);
        if (best?.value !== undefined) onChange(best.value);
      }}
    />
  );
}
