import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DEFAULT_CLAIM_LIFETIME_HOURS } from '@deviceportal/contract/constants';
import { useApi } from '../api/use-api.ts';
import { ClaimResult } from '../devices/add/claim-result.tsx';
import { LifetimeField } from '../devices/add/lifetime-field.tsx';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';

/** Creates the claim for the devices that an import has added, and shows its token once. */
export function ImportClaimDialog({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [lifetimeHours, setLifetimeHours] = useState<number>(DEFAULT_CLAIM_LIFETIME_HOURS);
  const create = useMutation(
    api.imports.createClaim.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.imports.get.pathFilter()),
    }),
  );
  return (
    <Modal
      visible
      size="large"
      header={t('imports.claim.title')}
      closeAriaLabel={t('app.close')}
      onDismiss={({ detail }) => {
        // A click outside the dialog must not discard a token that is shown only once.
        if (detail.reason !== 'overlay') onClose();
      }}
    >
      {create.data === undefined ? (
        <SpaceBetween size="m">
          <Box>{t('imports.claim.effect')}</Box>
          <LifetimeField hours={lifetimeHours} onChange={setLifetimeHours} />
          {create.error === null ? null : <ErrorView error={create.error} place="alert" />}
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant="link" onClick={onClose}>
                {t('app.cancel')}
              </Button>
              <Button
                variant="primary"
                loading={create.isPending}
                onClick={() => create.mutate({ id, lifetimeHours })}
              >
                {t('imports.claim.title')}
              </Button>
            </SpaceBetween>
          </Box>
        </SpaceBetween>
      ) : (
        <ClaimResult claim={create.data} onClose={onClose} />
      )}
    </Modal>
  );
}
