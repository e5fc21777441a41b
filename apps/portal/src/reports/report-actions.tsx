import { copyText } from '../ui/copy-text.ts';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { reportFormats, type ReportRow } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { downloadFrom } from '../ui/download-from.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

const ShareDialog = lazy(async () => ({
  default: (await import('./share-dialog.tsx')).ShareDialog,
}));

/** Shares the report as a link or downloads it. */
export function ReportActions({ row }: { readonly row: ReportRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const [shares, setShares] = useState(false);
  const link = useMutation(
    api.reports.linkFile.mutationOptions({
      onError: showError,
      onSuccess: ({ downloadUrl }) => downloadFrom(downloadUrl),
    }),
  );
  if (row.state !== 'ready') return null;
  const copyLink = (): void => {
    copyText(location.href, t);
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button iconName="copy" onClick={copyLink}>
        {t('reports.actions.copyLink')}
      </Button>
      <ButtonDropdown
        loading={link.isPending}
        items={reportFormats.map((format) => ({
          id: format,
          text: t(`reports.format.${format}`),
        }))}
        onItemClick={({ detail }) => {
          const format = reportFormats.find((one) => one === detail.id);
          if (format !== undefined) link.mutate({ id: row.id, format });
        }}
      >
        {t('reports.actions.download')}
      </ButtonDropdown>
      <Button variant="primary" iconName="share" onClick={() => setShares(true)}>
        {t('reports.actions.share')}
      </Button>
      {shares ? (
        <Suspense fallback={null}>
          <ShareDialog row={row} onClose={() => setShares(false)} />
        </Suspense>
      ) : null}
    </SpaceBetween>
  );
}
