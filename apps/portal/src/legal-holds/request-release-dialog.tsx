import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { LegalHoldRow } from '@deviceportal/contract/legal-holds';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { fieldIssues } from '../ui/field-issues.ts';

export interface HoldDialogProps {
  readonly hold: LegalHoldRow;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

/** Asks a second user to end a hold. */
export function RequestReleaseDialog({ hold, onDone, onClose }: HoldDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [reason, setReason] = useState('');
  const request = useMutation(
    api.legalHolds.requestRelease.mutationOptions({
      onSuccess: () => onDone(t('legalHolds.requested')),
    }),
  );
  return (
    <FormDialog
      title={t('legalHolds.requestTitle', { name: hold.name })}
      submitLabel={t('legalHolds.act.request')}
      busy={request.isPending}
      error={request.error}
      fields={['reason']}
      disabled={reason.trim() === ''}
      onSubmit={() => request.mutate({ id: hold.id, reason })}
      onCancel={onClose}
    >
      <FormField
        label={t('legalHolds.reason')}
        description={t('legalHolds.requestHint')}
        errorText={fieldIssues(request.error, t).get('reason')}
      >
        <Textarea
          rows={2}
          value={reason}
          onChange={({ detail }) => setReason(detail.value.slice(0, 500))}
        />
      </FormField>
    </FormDialog>
  );
}
