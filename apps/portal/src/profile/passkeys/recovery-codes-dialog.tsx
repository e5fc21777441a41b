import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';

export interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** New recovery codes, which are shown once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps): ReactNode {
  const t = useT();
  const text = codes.join('\n');
  return (
    <Modal
      visible
      header={t('profile.passkeys.codes')}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <CopyToClipboard
              textToCopy={text}
              copyButtonText={t('profile.passkeys.copyCodes')}
              copySuccessText={t('profile.mfa.copied')}
              copyErrorText={t('profile.mfa.notCopied')}
            />
            <Button variant="primary" onClick={onClose}>
              {t('profile.passkeys.codesSaved')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>{t('profile.passkeys.codesHint')}</Box>
        <ul className="dp-recovery-codes" aria-label={t('profile.passkeys.codes')}>
          {codes.map((code) => (
            <li key={code}>
              <Box variant="samp">{code}</Box>
            </li>
          ))}
        </ul>
      </SpaceBetween>
    </Modal>
  );
}
