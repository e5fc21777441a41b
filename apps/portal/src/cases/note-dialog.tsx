import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { NOTE_LIMIT } from './note-limit.ts';
import { useCaseActs } from './use-case-acts.ts';
import { useCaseDraft } from './use-case-draft.ts';

export interface NoteDialogProps {
  readonly id: string;
  readonly personName: string;
  readonly onClose: () => void;
}

/** Adds a note to the active case from any page. */
export function NoteDialog({ id, personName, onClose }: NoteDialogProps): ReactNode {
  const t = useT();
  const { addNote } = useCaseActs();
  const draft = useCaseDraft(`note ${id}`);
  const text = draft.textOf('text');
  const close = (): void => {
    draft.forget();
    onClose();
  };
  const submit = (): void => {
    if (text.trim() !== '') addNote.mutate({ id, text: text.trim() }, { onSuccess: close });
  };
  return (
    <FormDialog
      title={t('cases.note.for', { name: personName })}
      submitLabel={t('cases.note.add')}
      busy={addNote.isPending}
      error={addNote.error}
      fields={[]}
      disabled={text.trim() === ''}
      onSubmit={submit}
      onCancel={close}
    >
      <FormField label={t('cases.note.label')} description={t('cases.note.keys')} stretch>
        <Textarea
          value={text}
          rows={5}
          onChange={({ detail }) => draft.setText('text', detail.value.slice(0, NOTE_LIMIT))}
          onKeyDown={({ detail }) => {
            if (detail.key === 'Enter' && (detail.ctrlKey || detail.metaKey)) submit();
          }}
        />
      </FormField>
    </FormDialog>
  );
}
