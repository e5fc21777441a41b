import Box from '@cloudscape-design/components/box';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { SIGNED_URL_DEFAULT_SECONDS } from '@deviceportal/contract/constants';
import { redactionSchema, type Redaction, type ReportRow } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFirstFocus } from '../ui/use-first-focus.ts';
import { RedactionChoices } from './redaction-choices.tsx';
import { ShareActions } from './share-actions.tsx';
import { ShareLink } from './share-link.tsx';
import { SharePreview } from './share-preview.tsx';
import { ShareTexts } from './share-texts.tsx';

/** Creates a link to the report, after a preview of what the recipient will see. */
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
        <ShareActions
          isShared={share.data !== undefined}
          disabled={!isCurrent}
          loading={share.isPending}
          onShare={() => share.mutate({ id: row.id, redaction, validSeconds })}
          onClose={onClose}
        />
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
                // Other redactions show other texts, which must be allowed again.
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
        <SharePreview report={preview.data?.report} isStale={preview.isPlaceholderData} />
      </SpaceBetween>
    </Modal>
  );
}
