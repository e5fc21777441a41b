import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { ExtraFields } from './extra-fields.tsx';
import type { DocumentDraft, NameIssue } from './document-draft.ts';

export interface NewDocumentFieldsProps {
  readonly draft: DocumentDraft;
  /** Parameter names of the current text. */
  readonly parameters: readonly string[];
  readonly nameIssue: NameIssue | undefined;
  readonly onChange: (part: Partial<DocumentDraft>) => void;
}

/** Properties of a new document other than its text. */
export function NewDocumentFields({
  draft,
  parameters,
  nameIssue,
  onChange,
}: NewDocumentFieldsProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('documents.columns.name')}
        constraintText={nameIssue === 'format' ? undefined : t('documents.new.nameRule')}
        errorText={nameIssue === undefined ? undefined : t(`documents.new.name.${nameIssue}`)}
      >
        <Input
          value={draft.name}
          autoComplete={false}
          spellcheck={false}
          onChange={({ detail }) => onChange({ name: detail.value })}
        />
      </FormField>
      <FormField label={t('documents.columns.description')} stretch>
        <Input
          value={draft.description}
          onChange={({ detail }) => onChange({ description: detail.value.slice(0, 500) })}
        />
      </FormField>
      <ExtraFields value={draft} parameters={parameters} onChange={onChange} />
      <FormField label={t('documents.edit.note')} stretch>
        <Input
          value={draft.note}
          onChange={({ detail }) => onChange({ note: detail.value.slice(0, 500) })}
        />
      </FormField>
    </SpaceBetween>
  );
}
