import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { allCountries } from '../../devices/all-countries.ts';
import { LabelsEditor } from '../../devices/labels-editor.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import type { RoleDraft } from './role-draft.ts';

export interface ScopeFieldsProps {
  readonly draft: RoleDraft;
  readonly onChange: (part: Partial<RoleDraft>) => void;
}

/** Limits of the scope of a role. An empty field does not limit. */
export function ScopeFields({ draft, onChange }: ScopeFieldsProps): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const language = useLanguage();
  const countries = useMemo(() => {
    const collator = new Intl.Collator(language);
    return allCountries()
      .map((code) => ({ value: code, label: format.country(code), description: code }))
      .toSorted((one, other) => collator.compare(one.label, other.label));
  }, [format, language]);
  const models = useQuery(api.devices.suggest.queryOptions({ key: 'model', text: '' })).data ?? [];
  return (
    <SpaceBetween size="m">
      <Choices
        label={t('access.form.countries')}
        none={t('access.form.allCountries')}
        options={countries}
        chosen={draft.countries}
        wordsOf={format.country}
        onChange={(values) => onChange({ countries: values })}
      />
      <Choices
        label={t('access.form.models')}
        none={t('access.form.allModels')}
        options={models.map(({ value, label }) => ({ value, label }))}
        chosen={draft.models}
        wordsOf={(value) => value}
        onChange={(values) => onChange({ models: values })}
      />
      <FormField label={t('access.form.labels')} description={t('access.form.labelsHint')} stretch>
        <LabelsEditor entries={draft.labels} onChange={(labels) => onChange({ labels })} />
      </FormField>
    </SpaceBetween>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly none: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly description?: string;
  }[];
  readonly chosen: readonly string[];
  readonly wordsOf: (value: string) => string;
  readonly onChange: (values: readonly string[]) => void;
}

function Choices({ label, none, options, chosen, wordsOf, onChange }: ChoicesProps): ReactNode {
  const t = useT();
  return (
    <FormField label={label} stretch>
      <Multiselect
        options={options}
        selectedOptions={chosen.map((value) => ({ value, label: wordsOf(value) }))}
        filteringType="auto"
        virtualScroll={options.length > 100}
        placeholder={none}
        deselectAriaLabel={(option) => t('access.form.removeOne', { name: option.label ?? '' })}
        onChange={({ detail }) =>
          onChange(detail.selectedOptions.flatMap(({ value }) => value ?? []))
        }
      />
    </FormField>
  );
}
