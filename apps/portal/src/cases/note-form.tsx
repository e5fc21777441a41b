import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { NOTE_LIMIT } from './note-limit.ts';
import { useCaseActs } from './use-case-acts.ts';
import { useCaseDraft } from './use-case-draft.ts';

/** Adds a note, also with Ctrl+Enter. The text stays if that fails. */
export function NoteForm({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const { addNote } = useCaseActs();
  const draft = useCaseDraft(`note ${id}`);
  const text = draft.textOf('text');
  const isEmpty = text.trim() === '';
  const add = (): void => {
    if (isEmpty || addNote.isPending) return;
    addNote.mutate({ id, text: text.trim() }, { onSuccess: draft.forget });
  };
  return (
    <SpaceBetween size="xs">
      <FormField label={t('cases.note.label')} description={t('cases.note.keys')} stretch>
        <Textarea
          value={text}
          rows={2}
          placeholder={t('cases.note.placeholder')}
          onChange={({ detail }) => draft.setText('text', detail.value.slice(0, NOTE_LIMIT))}
          onKeyDown={({ detail }) => {
            if (detail.key === 'Enter' && (detail.ctrlKey || detail.metaKey)) add();
          }}
        />
      </FormField>
      {addNote.error === null ? null : <ErrorView error={addNote.error} place="alert" />}
      <Button loading={addNote.isPending} disabled={isEmpty} onClick={add}>
        {t('cases.note.add')}
      </Button>
    </SpaceBetween>
  );
}
