import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { DayField } from './day-field.tsx';

const FIELDS = ['name', 'reason', 'subjects', 'from', 'to', 'until'];
const dateFields = ['from', 'to', 'until'] as const;
const empty = { name: '', reason: '', subjects: '', from: '', to: '', until: '' };

/** Sets a hold on devices, people, and cases, or on everything in a time range. */
export function SetHoldDialog({
  onDone,
  onClose,
}: {
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const [draft, setDraft] = useState(empty);
  const set = useMutation(
    api.legalHolds.set.mutationOptions({
      onSuccess: () => onDone(t('legalHolds.wasSet', { name: draft.name })),
    }),
  );
  const issues = fieldIssues(set.error, t);
  const subjects = draft.subjects
    .split(/[\n,，、;；]+/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const change = (part: Partial<typeof empty>): void => setDraft((old) => ({ ...old, ...part }));
  const isNamed = subjects.length > 0 || draft.from !== '' || draft.to !== '';
  return (
    <FormDialog
      title={t('legalHolds.setTitle')}
      submitLabel={t('legalHolds.set')}
      busy={set.isPending}
      error={set.error}
      fields={FIELDS}
      disabled={draft.name.trim() === '' || draft.reason.trim() === '' || !isNamed}
      onSubmit={() =>
        set.mutate({
          ...{ name: draft.name, reason: draft.reason, subjects },
          from: startOf(draft.from),
          to: endOf(draft.to),
          until: endOf(draft.until),
        })
      }
      onCancel={onClose}
    >
      <FormField label={t('legalHolds.name')} errorText={issues.get('name')}>
        <Input value={draft.name} onChange={({ detail }) => change({ name: detail.value })} />
      </FormField>
      <FormField label={t('legalHolds.reason')} errorText={issues.get('reason')}>
        <Textarea
          rows={2}
          value={draft.reason}
          onChange={({ detail }) => change({ reason: detail.value.slice(0, 1_000) })}
        />
      </FormField>
      <FormField
        label={t('legalHolds.subjects')}
        description={t('legalHolds.subjectsHint')}
        errorText={issues.get('subjects')}
      >
        <Textarea
          rows={3}
          spellcheck={false}
          value={draft.subjects}
          onChange={({ detail }) => change({ subjects: detail.value })}
        />
      </FormField>
      {dateFields.map((field) => (
        <DayField
          key={field}
          label={t(`legalHolds.field.${field}`)}
          description={t(`legalHolds.field.${field}Hint`)}
          errorText={issues.get(field)}
          day={draft[field]}
          onChange={(day) => change({ [field]: day })}
        />
      ))}
    </FormDialog>
  );
}

/** Days are days in UTC, as in the audit trail. */
const startOf = (day: string): string | null => (day === '' ? null : `${day}T00:00:00.000Z`);
const endOf = (day: string): string | null => (day === '' ? null : `${day}T23:59:59.999Z`);
