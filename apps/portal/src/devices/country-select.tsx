import Select from '@cloudscape-design/components/select';
import { useMemo, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { allCountries } from './all-countries.ts';

export interface CountrySelectProps {
  readonly value: string | null;
  readonly onChange: (country: string | null) => void;
  readonly disabled?: boolean;
  /** The label of the empty option. */
  readonly none?: string;
}

/** All countries, sorted by the rules of the language. */
export function CountrySelect({
  value,
  onChange,
  disabled = false,
  none: noneWords,
}: CountrySelectProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const options = useMemo(() => {
    const none = { value: '', label: noneWords ?? t('devices.form.noCountry') };
    const collator = new Intl.Collator(language);
    const named = allCountries()
      .map((code) => ({ value: code, label: format.country(code), description: code }))
      .toSorted((one, other) => collator.compare(one.label, other.label));
    return [none, ...named];
  }, [t, format, language, noneWords]);
  return (
    <Select
      options={options}
      selectedOption={options.find((option) => option.value === (value ?? '')) ?? null}
      filteringType="auto"
      virtualScroll
      disabled={disabled}
      filteringAriaLabel={t('devices.filter.country')}
      onChange={({ detail }) => onChange(detail.selectedOption.value || null)}
    />
  );
}
