import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { downloadFrom } from '../../ui/download-from.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';

/** Downloads the results of all devices. */
export function ExportControl({ runId }: { readonly runId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const link = useMutation(
    api.commands.exportResults.mutationOptions({
      onError: showError,
      onSuccess: ({ downloadUrl }) => downloadFrom(downloadUrl),
    }),
  );
  return (
    <ButtonDropdown
      loading={link.isPending}
      items={[
        { id: 'csv', text: 'CSV' },
        { id: 'json', text: 'JSON' },
      ]}
      onItemClick={({ detail }) =>
        link.mutate({ id: runId, format: detail.id === 'json' ? 'json' : 'csv' })
      }
    >
      {t('commands.result.export')}
    </ButtonDropdown>
  );
}
