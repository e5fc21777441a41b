import { updatePassword } from '@deviceportal/identity-client';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { AccountProblem } from './account-problem.tsx';
import { StrengthMeter } from './strength-meter.tsx';
import { useAccountAct } from './use-account.ts';

export interface ChangePasswordDialogProps {
  /** Without a password, the current one is not asked for. */
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

/** Sets a new password, which is encrypted in this browser before it is sent. */
export function ChangePasswordDialog({
  hasPassword,
  onClose,
}: ChangePasswordDialogProps): ReactNode {
  const t = useT();
  const flash = useFlash();
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const [again, setAgain] = useState('');
  const differs = again !== '' && again !== newPassword;
  const change = useAccountAct(updatePassword, () => {
    flash.add({ type: 'success', content: t('profile.password.changed') });
    onClose();
  });
  return (
    <ConfirmDialog
      title={t(hasPassword ? 'profile.password.change' : 'profile.password.set')}
      confirmLabel={t('profile.password.save')}
      busy={change.isPending}
      disabled={newPassword === '' || again !== newPassword || (hasPassword && oldPassword === '')}
      error={<AccountProblem error={change.error} />}
      onConfirm={() => change.mutate(hasPassword ? { newPassword, oldPassword } : { newPassword })}
      onCancel={onClose}
    >
      <SpaceBetween size="m">
        {hasPassword ? (
          <FormField label={t('profile.password.old')} stretch>
            <Input
              type="password"
              autoComplete="current-password"
              value={oldPassword}
              onChange={({ detail }) => setOld(detail.value)}
            />
          </FormField>
        ) : null}
        <FormField
          label={t('profile.password.new')}
          description={t('profile.strength.rule')}
          stretch
        >
          <Input
            type="password"
            autoComplete="new-password"
            value={newPassword}
            onChange={({ detail }) => setNew(detail.value)}
          />
        </FormField>
        <StrengthMeter password={newPassword} />
        <FormField
          label={t('profile.password.again')}
          errorText={differs ? t('profile.password.differs') : null}
          stretch
        >
          <Input
            type="password"
            autoComplete="new-password"
            value={again}
            invalid={differs}
            onChange={({ detail }) => setAgain(detail.value)}
          />
        </FormField>
      </SpaceBetween>
    </ConfirmDialog>
  );
}
