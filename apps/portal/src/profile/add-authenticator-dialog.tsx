import { confirmTotp, type TotpAssociation } from '@deviceportal/identity-client';
import Box from '@cloudscape-design/components/box';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { AccountProblem } from './account-problem.tsx';
import { useAccountAct } from './use-account.ts';

const DIGITS = 6;

export interface AddAuthenticatorDialogProps {
  readonly association: TotpAssociation;
  readonly onClose: () => void;
}

/**
 * Adds an authenticator app: scan the QR code, save the recovery code, and enter the first code.
 */
export function AddAuthenticatorDialog(props: AddAuthenticatorDialogProps): ReactNode {
  const { association, onClose } = props;
  const t = useT();
  const flash = useFlash();
  const [totp, setTotp] = useState('');
  const confirm = useAccountAct(
    (client, input: string) => confirmTotp(client, { totp: input }),
    () => {
      flash.add({ type: 'success', content: t('profile.mfa.added') });
      onClose();
    },
  );
  return (
    <ConfirmDialog
      title={t('profile.mfa.add')}
      confirmLabel={t('profile.mfa.confirm')}
      busy={confirm.isPending}
      disabled={totp.length !== DIGITS}
      error={<AccountProblem error={confirm.error} />}
      onConfirm={() => confirm.mutate(totp)}
      onCancel={onClose}
    >
      <SpaceBetween size="m">
        <Box>{t('profile.mfa.scan')}</Box>
        <img className="dp-totp-code" src={association.qrcode_data_url} alt={t('profile.mfa.qr')} />
        <Copied label={t('profile.mfa.secret')} text={association.secret} />
        <Copied label={t('profile.mfa.recovery')} text={association.recovery_code} />
        <Box color="text-body-secondary">{t('profile.mfa.recoveryHint')}</Box>
        <FormField label={t('profile.mfa.code')} stretch>
          <Input
            value={totp}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={({ detail }) => setTotp(detail.value.replaceAll(/\D/g, '').slice(0, DIGITS))}
          />
        </FormField>
      </SpaceBetween>
    </ConfirmDialog>
  );
}

function Copied({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const t = useT();
  return (
    <div>
      <Box variant="awsui-key-label">{label}</Box>
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        copyButtonAriaLabel={t('profile.mfa.copy', { label })}
        copySuccessText={t('profile.mfa.copied')}
        copyErrorText={t('profile.mfa.notCopied')}
      />
    </div>
  );
}
