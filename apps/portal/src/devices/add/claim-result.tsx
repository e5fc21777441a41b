import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { CreatedClaim } from '@deviceportal/contract/devices';
import { GrantEndNote } from '../../access/users/grant-end-note.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyLine } from '../../ui/code-block.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';

export interface ClaimResultProps {
  readonly claim: CreatedClaim;
  /** False on the page of the device. */
  readonly linksDevice?: boolean;
  /** Offers to create another claim. */
  readonly onAnother?: () => void;
  readonly onClose: () => void;
}

/** The token, which is shown once, and the command to run on the device. */
export function ClaimResult(props: ClaimResultProps): ReactNode {
  const { claim, linksDevice = true, onAnother, onClose } = props;
  const t = useT();
  const format = useFormat();
  return (
    <SpaceBetween size="m">
      <Alert type="success" header={t('devices.claim.created')}>
        {t('devices.claim.once', {
          uses: claim.uses,
          time: format.absolute(Date.parse(claim.expiresAt)),
        })}
        <GrantEndNote bond={claim.bond} />
      </Alert>
      <FormField
        label={t('devices.claim.command')}
        description={t('devices.claim.commandHelp')}
        stretch
      >
        <CopyLine text={claim.installCommand} label={t('devices.claim.command')} />
      </FormField>
      <FormField label={t('devices.claim.token')} stretch>
        <CopyLine text={claim.token} label={t('devices.claim.token')} />
      </FormField>
      {claim.deviceId === null || !linksDevice ? null : (
        <PortalLink href={`/devices/${claim.deviceId}`}>{t('devices.claim.openDevice')}</PortalLink>
      )}
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          {onAnother === undefined ? null : (
            <Button onClick={onAnother}>{t('devices.claim.another')}</Button>
          )}
          <Button variant="primary" onClick={onClose}>
            {t('devices.claim.done')}
          </Button>
        </SpaceBetween>
      </Box>
    </SpaceBetween>
  );
}
