import Select from '@cloudscape-design/components/select';
import { useMemo, type ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';

export interface CountrySelectProps {
  readonly value: string | null;
  readonly onChange: (country: string | null) => void;
  readonly disabled?: boolean;
  /** What choosing none means here. */
  readonly none?: string;
}

/** Every two-letter code that the browser has a name for, sorted as the language sorts. */
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

/** Codes that are no country but have a name: unions, the euro zone, made-up and withdrawn ones. */
const NOT_COUNTRIES = new Set(
  'EU EZ UN QO ZZ XA XB AC CP CQ DG EA IC TA BU CS DD DY FQ FX HV JT MI NH NQ NT PC PU PZ RH SU TP UK VD WK YD YU ZR AN CT'.split(
    ' ',
  ),
);

function allCountries(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NOT_COUNTRIES.has(code) && names.of(code) !== undefined);
}
