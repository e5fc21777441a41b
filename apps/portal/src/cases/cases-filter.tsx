import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import Select from '@cloudscape-design/components/select';
import type { ReactNode } from 'react';
import { casePriorities } from '@deviceportal/contract/cases';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { PersonPicker } from '../people/person-picker.tsx';
import { usePersonNames } from '../people/use-person-names.ts';
import { wordOf } from '../ui/status-of.tsx';
import { useQueues } from './assignment/case-plan-fields.tsx';
import type { casesSearch } from './cases-search.ts';
import './cases.css';

type Search = ReturnType<typeof casesSearch>;

export interface CasesFilterProps {
  readonly search: Search;
  readonly onChange: (part: Partial<Search>) => void;
}

const shown = ['open', 'mine', 'unassigned', 'overdue', 'closed', 'all'] as const;

/** Filters by status or a quick filter, person, priority, queue, and ticket. */
export function CasesFilter({ search, onChange }: CasesFilterProps): ReactNode {
  const t = useT();
  const { show, ticket, person, priority, queue } = search;
  const language = useLanguage();
  const queues = useQueues();
  const anyPriority = { value: '', label: t('cases.priority.any') };
  const anyQueue = { value: '', label: t('cases.queue.any') };
  const priorityOption = (value: Search['priority']) =>
    value === '' ? anyPriority : { value, label: wordOf('casePriority', value, language) };
  const names = usePersonNames(person === '' ? [] : [person]);
  return (
    <div className="dp-cases-filter dp-filter">
      <SegmentedControl
        label={t('cases.show')}
        selectedId={show}
        options={shown.map((id) => ({
          id,
          text: t(`cases.show.${id}`),
        }))}
        onChange={({ detail }) => onChange({ show: detail.selectedId as Search['show'] })}
      />
      <div className="dp-cases-fields">
        <FormField label={t('cases.person')} controlId="cases-person">
          <PersonPicker
            key={person}
            controlId="cases-person"
            emptyLabel={t('cases.everybody')}
            value={person === '' ? null : { id: person, name: names.get(person) ?? person }}
            onChange={(picked) => onChange({ person: picked?.id ?? '' })}
          />
        </FormField>
        <FormField label={t('cases.priority')}>
          <Select
            selectedOption={priorityOption(priority)}
            options={[anyPriority, ...casePriorities.map(priorityOption)]}
            expandToViewport
            onChange={({ detail }) =>
              onChange({ priority: (detail.selectedOption.value ?? '') as Search['priority'] })
            }
          />
        </FormField>
        <FormField label={t('cases.queue')}>
          <Select
            selectedOption={queue === '' ? anyQueue : { value: queue, label: queue }}
            options={[anyQueue, ...queues.map((each) => ({ value: each, label: each }))]}
            expandToViewport
            onChange={({ detail }) => onChange({ queue: detail.selectedOption.value ?? '' })}
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
    </div>
  );
}
