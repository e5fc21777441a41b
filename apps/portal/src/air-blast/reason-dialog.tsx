import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

export interface ReasonDialogProps {
  readonly act: 'abort' | 'pause';
  readonly busy: boolean;
  readonly onConfirm: (reason: string) => void;
  readonly onCancel: () => void;
}

/** Explains what a pause or an abort does, and asks for the reason that other users will see. */
export function ReasonDialog({ act, busy, onConfirm, onCancel }: ReasonDialogProps): ReactNode {
  const t = useT();
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      title={t(`airBlast.act.${act}`)}
      confirmLabel={t(`airBlast.act.${act}`)}
      busy={busy}
      onConfirm={() => onConfirm(reason)}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        <span>{t(`airBlast.${act}Effect`)}</span>
        <FormField label={t('airBlast.why')} stretch>
          <Input value={reason} onChange={({ detail }) => setReason(detail.value.slice(0, 500))} />
        </FormField>
      </SpaceBetween>
    </ConfirmDialog>
  );
}
