import Autosuggest from '@cloudscape-design/components/autosuggest';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import TimeInput from '@cloudscape-design/components/time-input';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { casePriorities, type CaseRow } from '@deviceportal/contract/cases';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { wordOf } from '../../ui/status-of.tsx';
import { dueAtOf, type DueDraft } from './due-draft.ts';

/** The part of a case by which work is planned. */
export interface CasePlan {
  readonly priority: CaseRow['priority'];
  readonly queue: string;
  readonly due: DueDraft;
}

const QUEUE_LIMIT = 60;

/** Priority, queue, and due time. */
export function CasePlanFields({
  value,
  onChange,
}: {
  readonly value: CasePlan;
  readonly onChange: (value: CasePlan) => void;
}): ReactNode {
  const t = useT();
  const language = useLanguage();
  const set = (change: Partial<CasePlan>): void => onChange({ ...value, ...change });
  const { due } = value;
  const isDueWrong = dueAtOf(due) === undefined;
  const option = (priority: CaseRow['priority']) => ({
    value: priority,
    label: wordOf('casePriority', priority, language),
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <ColumnLayout columns={2}>
      <FormField label={t('cases.priority')}>
        <Select
          selectedOption={option(value.priority)}
          options={casePriorities.map(option)}
          expandToViewport
          onChange={({ detail }) =>
            set({ priority: detail.selectedOption.value as CaseRow['priority'] })
          }
        />
      </FormField>
      <FormField label={t('cases.queue')}>
        <QueueField value={value.queue} onChange={(queue) => set({ queue })} />
      </FormField>
      <FormField label={t('cases.dueDay')} description={t('cases.dueHint')}>
        <DatePicker
          value={due.date}
          placeholder="YYYY/MM/DD"
          openCalendarAriaLabel={() => t('cases.openCalendar')}
          expandToViewport
          onChange={({ detail }) => set({ due: { ...due, date: detail.value } })}
        />
      </FormField>
      <FormField
        label={t('cases.dueTime')}
        description={timeZone}
        errorText={isDueWrong ? t('cases.dueWrong') : undefined}
      >
        <TimeInput
          format="hh:mm"
          placeholder="17:00"
          value={due.time}
          onChange={({ detail }) => set({ due: { ...due, time: detail.value } })}
        />
      </FormField>
    </ColumnLayout>
  );
}

/** A queue of open cases, or a new one by its name. */
function QueueField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (queue: string) => void;
}): ReactNode {
  const t = useT();
  const queues = useQueues();
  return (
    <Autosuggest
      value={value}
      options={queues.map((queue) => ({ value: queue }))}
      placeholder={t('cases.queue.none')}
      enteredTextLabel={(text) => t('cases.queue.use', { name: text })}
      clearAriaLabel={t('cases.clear')}
      expandToViewport
      onChange={({ detail }) => onChange(detail.value.slice(0, QUEUE_LIMIT))}
    />
  );
}

/** The queues of open cases. */
export function useQueues(): readonly string[] {
  const api = useApi();
  return useQuery(api.cases.listQueues.queryOptions({})).data ?? [];
}
