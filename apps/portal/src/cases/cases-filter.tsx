import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { PersonPicker } from '../people/person-picker.tsx';
import { usePersonNames } from '../people/use-person-names.ts';
import type { casesSearch } from './cases-search.ts';
import './cases.css';

type Search = ReturnType<typeof casesSearch>;

export interface CasesFilterProps {
  readonly search: Search;
  readonly onChange: (part: Partial<Search>) => void;
}

/** Filters by status or own cases, person, and ticket. */
export function CasesFilter({ search, onChange }: CasesFilterProps): ReactNode {
  const t = useT();
  const { show, ticket, person } = search;
  const names = usePersonNames(person === '' ? [] : [person]);
  return (
    <div className="dp-cases-filter dp-filter">
      <SegmentedControl
        label={t('cases.show')}
        selectedId={show}
        options={(['open', 'mine', 'closed', 'all'] as const).map((id) => ({
          id,
          text: t(`cases.show.${id}`),
        }))}
        onChange={({ detail }) => onChange({ show: detail.selectedId as Search['show'] })}
      />
      <FormField label={t('cases.person')} controlId="cases-person">
        <PersonPicker
          key={person}
          controlId="cases-person"
          emptyLabel={t('cases.everybody')}
          value={person === '' ? null : { id: person, name: names.get(person) ?? person }}
          onChange={(picked) => onChange({ person: picked?.id ?? '' })}
        />
      </FormField>
      <FormField label={t('cases.ticket')}>
        <Input
          type="search"
          value={ticket}
          placeholder={t('cases.ticketBegins')}
          clearAriaLabel={t('cases.clear')}
          onChange={({ detail }) => onChange({ ticket: detail.value.slice(0, 100) })}
        />
      </FormField>
    </div>
  );
}
