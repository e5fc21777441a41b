import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SIGNED_URL_DEFAULT_SECONDS } from '@deviceportal/contract/constants';
import type { ReportShare } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { serverNowMs } from '../ui/time/server-clock.ts';
import { ShareLink } from './share-link.tsx';

/**
 * The links to a report: validity, number of views, and buttons to renew or revoke them. An expired
 * link is replaced by a new one.
 */
export function ShareList({ reportId }: { readonly reportId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const query = useQuery(api.reports.listShares.queryOptions({ id: reportId }));
  const again = { onError: showError, onSuccess: () => void query.refetch() };
  const renew = useMutation(api.reports.renewShare.mutationOptions(again));
  const end = useMutation(api.reports.endShare.mutationOptions(again));
  const shares = query.data ?? [];
  if (shares.length === 0) return null;
  return (
    <Container header={<Header variant="h2">{t('reports.shares')}</Header>}>
      <SpaceBetween size="m">
        {renew.data === undefined ? null : <ShareLink link={renew.data} />}
        <ul className="dp-report-list">
          {shares.map((share) => (
            <li key={share.id}>
              <ShareState share={share} />
              <Button
                variant="inline-link"
                loading={renew.isPending && renew.variables.shareId === share.id}
                onClick={() =>
                  renew.mutate({ shareId: share.id, validSeconds: SIGNED_URL_DEFAULT_SECONDS })
                }
              >
                {t(isOver(share) ? 'reports.share.new' : 'reports.share.renew')}
              </Button>
              {isOver(share) ? null : (
                <Button variant="inline-link" onClick={() => end.mutate({ shareId: share.id })}>
                  {t('reports.share.end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </SpaceBetween>
    </Container>
  );
}

function isOver({ endedAt, expiresAt }: ReportShare): boolean {
  return endedAt !== null || Date.parse(expiresAt) <= serverNowMs();
}

function ShareState({ share }: { readonly share: ReportShare }): ReactNode {
  const t = useT();
  const format = useFormat();
  const until = format.absolute(Date.parse(share.expiresAt));
  const opened = t('reports.share.openings', { count: share.openings });
  return isOver(share) ? (
    <StatusIndicator type="stopped">{`${t('reports.share.over')} · ${opened}`}</StatusIndicator>
  ) : (
    <StatusIndicator type="success">
      {`${t('reports.share.works', { until })} · ${opened}`}
    </StatusIndicator>
  );
}
