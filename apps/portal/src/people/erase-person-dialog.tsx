import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ErasurePreview, PersonReference } from '@deviceportal/contract/personal-data';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFlash } from '../ui/flash-store.ts';

export interface ErasePersonDialogProps {
  readonly person: PersonReference;
  readonly onClose: () => void;
}

/**
 * States what an erasure deletes and keeps and what must be done first, and asks for the username
 * to confirm.
 */
export function ErasePersonDialog({ person, onClose }: ErasePersonDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const preview = useQuery(api.personalData.preview.queryOptions(person, { gcTime: 0 }));
  const erase = useMutation(
    api.personalData.erase.mutationOptions({
      onSuccess: ({ pseudonym, progress }) => {
        void queryClient.invalidateQueries();
        const key = progress.state === 'erasing' ? 'people.erase.begun' : 'people.erase.done';
        flash.add({ type: 'success', content: t(key, { pseudonym }) });
        onClose();
      },
    }),
  );
  const found = preview.data;
  const error = erase.error ?? preview.error;
  return (
    <ConfirmDialog
      title={t('people.erase.title')}
      confirmLabel={t('people.data.erase')}
      {...(found && found.obstacles.length === 0 && { typed: found.username })}
      disabled={found === undefined || found.obstacles.length > 0}
      busy={erase.isPending}
      error={error === null ? null : <ErrorView error={error} place="alert" />}
      onConfirm={() => found && erase.mutate({ ...person, username: found.username })}
      onCancel={onClose}
    >
      {found === undefined ? <Spinner /> : <Effects preview={found} />}
    </ConfirmDialog>
  );
}

function Effects({ preview }: { readonly preview: ErasurePreview }): ReactNode {
  const t = useT();
  const { kind, linked, devices, openCases, obstacles, pseudonym } = preview;
  return (
    <SpaceBetween size="m">
      {obstacles.map((obstacle) => (
        <Alert key={obstacle} type="warning">
          {t(`people.erase.obstacle.${obstacle}`, { cases: openCases })}
        </Alert>
      ))}
      <Box>{t('people.erase.forGood')}</Box>
      <List title={t('people.erase.goes')}>
        <li>{t('people.erase.goes.names')}</li>
        <li>{t(`people.erase.goes.${kind}`)}</li>
        {linked.length > 0 ? <li>{t('people.erase.goes.linked')}</li> : null}
        {devices > 0 ? <li>{t('people.erase.goes.devices', { devices })}</li> : null}
      </List>
      <List title={t('people.erase.stays')}>
        <li>{t('people.erase.stays.acts', { pseudonym })}</li>
        <li>{t('people.erase.stays.copies')}</li>
      </List>
    </SpaceBetween>
  );
}

function List({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div>
      <Box variant="awsui-key-label">{title}</Box>
      <ul>{children}</ul>
    </div>
  );
}
