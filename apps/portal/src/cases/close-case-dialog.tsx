import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';
import { caseOutcome, type CaseOutcome } from '@deviceportal/contract/states';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useLanguage } from '../i18n/language-store.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { wordOf } from '../ui/status-of.tsx';
import { NOTE_LIMIT } from './note-limit.ts';
import { useCaseActs } from './use-case-acts.ts';
import { useCaseDraft } from './use-case-draft.ts';

export interface CloseCaseDialogProps {
  readonly id: string;
  readonly personName: string;
  readonly onClose: () => void;
}

const outcomes = Object.keys(caseOutcome) as CaseOutcome[];

/** Asks for the outcome and a summary. */
export function CloseCaseDialog({ id, personName, onClose }: CloseCaseDialogProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { close } = useCaseActs();
  const draft = useCaseDraft(`close ${id}`);
  const outcome = outcomes.find((value) => value === draft.textOf('outcome')) ?? null;
  const text = draft.textOf('text');
  const end = (): void => {
    draft.forget();
    onClose();
  };
  return (
    <FormDialog
      title={t('cases.close.for', { name: personName })}
      submitLabel={t('cases.close.submit')}
      busy={close.isPending}
      error={close.error}
      fields={[]}
      disabled={outcome === null}
      onSubmit={() => {
        if (outcome === null) return;
        close.mutate(
          { id, outcome, text },
          {
            onSuccess: () => {
              end();
              navigateTo(`/cases/${id}`);
            },
          },
        );
      }}
      onCancel={end}
    >
      <FormField label={t('cases.outcome')} stretch>
        <RadioGroup
          value={outcome}
          items={outcomes.map((value) => ({
            value,
            label: wordOf('caseOutcome', value, language),
            description: t(`cases.outcomeHint.${value}` as MessageKey),
          }))}
          onChange={({ detail }) => draft.setText('outcome', detail.value)}
        />
      </FormField>
      <FormField label={t('cases.close.words')} description={t('cases.close.wordsHint')} stretch>
        <Textarea
          value={text}
          rows={4}
          onChange={({ detail }) => draft.setText('text', detail.value.slice(0, NOTE_LIMIT))}
        />
      </FormField>
    </FormDialog>
  );
}
