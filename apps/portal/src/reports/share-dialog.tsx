import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { SIGNED_URL_DEFAULT_SECONDS } from '@deviceportal/contract/constants';
import { redactionSchema, type Redaction, type ReportRow } from '@deviceportal/contract/reports';
import { layOutReport } from '@deviceportal/contract/user-report-layout';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFirstFocus } from '../ui/use-first-focus.ts';
import { RedactionChoices } from './redaction-choices.tsx';
import { ReportBody } from './report-body.tsx';
import { ShareLink } from './share-link.tsx';
import { ShareTexts } from './share-texts.tsx';

/** What somebody else will see, exactly, before a link to it is made. */
export function ShareDialog({
  row,
  onClose,
}: {
  readonly row: ReportRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLDivElement>();
  const [redaction, setRedaction] = useState<Redaction>(() => redactionSchema.parse({}));
  const [validSeconds, setValidSeconds] = useState<number>(SIGNED_URL_DEFAULT_SECONDS);
  const preview = useQuery(
    api.reports.previewShare.queryOptions(
      { id: row.id, redaction },
      { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const layout = useMemo(
    () => (preview.data === undefined ? undefined : layOutReport(preview.data.report)),
    [preview.data],
  );
  const share = useMutation(
    api.reports.share.mutationOptions({
      onSuccess: () => client.invalidateQueries({ queryKey: api.reports.listShares.queryKey() }),
    }),
  );
  const isCurrent = preview.data !== undefined && !preview.isPlaceholderData;
  return (
    <Modal
      visible
      size="max"
      header={t('reports.share.title')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              {t(share.data === undefined ? 'reports.share.cancel' : 'reports.share.close')}
            </Button>
            {share.data === undefined ? (
              <Button
                variant="primary"
                disabled={!isCurrent}
                loading={share.isPending}
                onClick={() => share.mutate({ id: row.id, redaction, validSeconds })}
              >
                {t('reports.share.make')}
              </Button>
            ) : null}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="l">
        {share.error === null ? null : <ErrorView error={share.error} place="alert" />}
        {share.data === undefined ? (
          <div ref={first}>
            <SpaceBetween size="l">
              <RedactionChoices
                redaction={redaction}
                validSeconds={validSeconds}
                // Another choice shows other texts, which are to be read again.
                onRedaction={(next) => setRedaction({ ...next, allowedTexts: [] })}
                onValidSeconds={setValidSeconds}
              />
              {preview.data === undefined ? null : (
                <ShareTexts
                  preview={preview.data}
                  allowed={redaction.allowedTexts}
                  onAllowed={(allowedTexts) => setRedaction({ ...redaction, allowedTexts })}
                />
              )}
            </SpaceBetween>
          </div>
        ) : (
          <ShareLink link={share.data} />
        )}
        <Box variant="h3">{t('reports.share.preview')}</Box>
        {preview.error === null ? null : (
          <ErrorView error={preview.error} place="alert" onRetry={() => void preview.refetch()} />
        )}
        {layout === undefined ? (
          <StatusIndicator type="loading">{t('reports.opening')}</StatusIndicator>
        ) : (
          // Whoever has no mouse scrolls the preview by keys.
          <div
            className="dp-share-preview"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="region"
            aria-label={t('reports.share.preview')}
            aria-busy={preview.isPlaceholderData}
          >
            <div lang={layout.language}>
              <Box variant="h4">{layout.title}</Box>
              {layout.subtitle.map((line) => (
                <div key={line}>{line}</div>
              ))}
            </div>
            <ReportBody layout={layout} withLinks={false} within={t('reports.share.preview')} />
          </div>
        )}
      </SpaceBetween>
    </Modal>
  );
}
