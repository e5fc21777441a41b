import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { downloadFrom } from '../ui/download-from.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/** Downloads the report: devices as CSV, or everything as JSON. */
export function ReportExport({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const link = useMutation(
    api.airBlast.exportResult.mutationOptions({
      onError: showError,
      onSuccess: ({ downloadUrl }) => downloadFrom(downloadUrl),
    }),
  );
  return (
    <ButtonDropdown
      variant="primary"
      loading={link.isPending}
      items={[
        { id: 'csv', text: 'CSV', secondaryText: t('airBlast.exportCsv') },
        { id: 'json', text: 'JSON', secondaryText: t('airBlast.exportJson') },
      ]}
      onItemClick={({ detail }) =>
        link.mutate({ id, format: detail.id === 'json' ? 'json' : 'csv' })
      }
    >
      {t('airBlast.export')}
    </ButtonDropdown>
  );
}
