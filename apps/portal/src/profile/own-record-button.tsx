import Button from '@cloudscape-design/components/button';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { downloadFrom } from '../ui/download-from.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/** Exports all data held about the signed-in user. */
export function OwnRecordButton(): ReactNode {
  const t = useT();
  const api = useApi();
  const record = useMutation(
    api.personalData.exportOwn.mutationOptions({
      onError: useErrorFlash(),
      onSuccess: ({ downloadUrl, fileName }) => downloadFrom(downloadUrl, fileName),
    }),
  );
  return (
    <Button iconName="download" loading={record.isPending} onClick={() => record.mutate()}>
      {t('profile.ownRecord')}
    </Button>
  );
}
