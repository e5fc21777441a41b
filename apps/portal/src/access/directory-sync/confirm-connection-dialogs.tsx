import Checkbox from '@cloudscape-design/components/checkbox';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  SCIM_OVERLAP_HOURS,
  SCIM_TOKEN_DAYS,
  type NewScimToken,
  type ScimConnectionRow,
} from '@deviceportal/contract/scim';
import { useApi } from '../../api/use-api.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { fieldIssues } from '../../ui/field-issues.ts';
import { TokenDaysField } from './token-days-field.tsx';

/** Replaces the token. The directory has a day to be changed, unless the old token is ended now. */
export function RotateTokenDialog({
  connection: { id, name },
  onMade,
  onClose,
}: {
  readonly connection: ScimConnectionRow;
  readonly onMade: (token: NewScimToken, name: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const [days, setDays] = useState(String(SCIM_TOKEN_DAYS.usual));
  const [endNow, setEndNow] = useState(false);
  const rotate = useMutation(
    api.access.directoryConnections.rotate.mutationOptions({
      onSuccess: (token) => onMade(token, name),
    }),
  );
  return (
    <FormDialog
      title={t('access.directory.rotateTitle', { name })}
      submitLabel={t('access.directory.act.rotate')}
      busy={rotate.isPending}
      error={rotate.error}
      fields={['days']}
      disabled={days === ''}
      onSubmit={() => rotate.mutate({ id, days: Number(days), endNow })}
      onCancel={onClose}
    >
      <TokenDaysField
        days={days}
        errorText={fieldIssues(rotate.error, t).get('days')}
        onChange={setDays}
      />
      <Checkbox
        checked={endNow}
        description={t('access.directory.endNowHint', { hours: SCIM_OVERLAP_HOURS })}
        onChange={({ detail }) => setEndNow(detail.checked)}
      >
        {t('access.directory.endNow')}
      </Checkbox>
    </FormDialog>
  );
}

/** Confirms the end of a connection, which is disruptive: leavers keep their access from then on. */
export function RevokeConnectionDialog({
  connection: { id, name },
  onDone,
  onClose,
}: {
  readonly connection: ScimConnectionRow;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const revoke = useMutation(
    api.access.directoryConnections.revoke.mutationOptions({
      onSuccess: () => onDone(t('access.directory.revoked', { name })),
    }),
  );
  return (
    <ConfirmDialog
      title={t('access.directory.revokeTitle', { name })}
      confirmLabel={t('access.directory.act.revoke')}
      busy={revoke.isPending}
      error={revoke.isError ? <ErrorView error={revoke.error} place="alert" /> : null}
      onConfirm={() => revoke.mutate({ id })}
      onCancel={onClose}
    >
      {t('access.directory.revokeBody')}
    </ConfirmDialog>
  );
}
