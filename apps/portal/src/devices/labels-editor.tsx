import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Input from '@cloudscape-design/components/input';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { labelProblems, type LabelEntry } from './labels-text.ts';

export interface LabelsEditorProps {
  readonly entries: readonly LabelEntry[];
  readonly onChange: (entries: readonly LabelEntry[]) => void;
  readonly disabled?: boolean;
}

const LIMIT = 50;

/** Edits labels as rows of key and value. */
export function LabelsEditor({
  entries,
  onChange,
  disabled = false,
}: LabelsEditorProps): ReactNode {
  const t = useT();
  const problems = labelProblems(entries);
  const change = (index: number, part: Partial<LabelEntry>): void =>
    onChange(entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry)));
  const input = (entry: LabelEntry, index: number, field: 'key' | 'value'): ReactNode => (
    <Input
      value={entry[field]}
      disabled={disabled}
      ariaLabel={t(`devices.labels.${field}`)}
      onChange={({ detail }) => change(index, { [field]: detail.value })}
    />
  );
  return (
    <AttributeEditor
      items={entries}
      addButtonText={t('devices.labels.add')}
      removeButtonText={t('devices.labels.remove')}
      removeButtonAriaLabel={(entry) => t('devices.labels.removeOne', { key: entry.key })}
      disableAddButton={disabled || entries.length >= LIMIT}
      empty={t('devices.labels.none')}
      onAddButtonClick={() => onChange([...entries, { key: '', value: '' }])}
      onRemoveButtonClick={({ detail }) =>
        onChange(entries.filter((_, index) => index !== detail.itemIndex))
      }
      definition={[
        {
          label: t('devices.labels.key'),
          control: (entry, index) => input(entry, index, 'key'),
          errorText: (_, index) => {
            const problem = problems[index] ?? null;
            return problem === null ? null : t(`devices.labels.problem.${problem}`);
          },
        },
        {
          label: t('devices.labels.value'),
          control: (entry, index) => input(entry, index, 'value'),
        },
      ]}
    />
  );
}
