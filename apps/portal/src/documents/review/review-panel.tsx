import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { ReasonList } from '../../explanations/reason-list.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { ReviewDecision } from './review-decision.tsx';
import { useDocumentChanges } from '../use-document-changes.tsx';
import type { ReviewedVersion } from './reviewed-version.ts';

/** The review of the version on screen, with the viewer’s actions. */
export function ReviewPanel(props: ReviewedVersion): ReactNode {
  const { document, shown } = props;
  if (document.state === 'deprecated') return null;
  if (shown.state === 'draft') return <Draft {...props} />;
  if (shown.state === 'review') return <InReview {...props} />;
  const waiting = document.versionInReview;
  return waiting === null ? null : <AnotherInReview name={document.name} version={waiting} />;
}

function Draft({ document, shown }: ReviewedVersion): ReactNode {
  const t = useT();
  const rejected = shown.review?.decision === 'rejected';
  const { version } = shown;
  return (
    <Alert
      type={rejected ? 'warning' : 'info'}
      header={t(rejected ? 'documents.review.rejectedTitle' : 'documents.review.draftTitle', {
        version,
      })}
    >
      <WhyNotYet document={document} shown={shown} />
    </Alert>
  );
}

/**
 * The reason for which the version cannot be run yet, with the action that helps or the roles that
 * can act.
 */
function WhyNotYet({ document, shown }: ReviewedVersion): ReactNode {
  return (
    <ReasonList
      of={{ kind: 'document-version', name: document.name, version: shown.version }}
      revision={`${shown.state} ${shown.submittedAt ?? ''} ${document.versionInReview ?? ''}`}
      isSettled
    />
  );
}

function InReview(props: ReviewedVersion): ReactNode {
  const { document, shown } = props;
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const changes = useDocumentChanges(document);
  const decides = may('documents:approve') && !shown.own;
  const sent = t('documents.review.sentBy', {
    by: shown.submittedBy ?? '-',
    at: shown.submittedAt === null ? '-' : format.absolute(Date.parse(shown.submittedAt)),
    author: shown.createdBy,
  });
  return (
    <SpaceBetween size="m">
      <Alert
        type="info"
        header={t('documents.review.title', { version: shown.version })}
        action={
          may('documents:manage') && !decides ? (
            <Button loading={changes.busy} onClick={() => changes.withdraw(shown.version)}>
              {t('documents.review.withdrawShort')}
            </Button>
          ) : undefined
        }
      >
        {decides ? sent : <WhyNotYet {...props} />}
      </Alert>
      {decides ? <ReviewDecision key={shown.version} {...props} /> : null}
    </SpaceBetween>
  );
}

function AnotherInReview({
  name,
  version,
}: {
  readonly name: string;
  readonly version: number;
}): ReactNode {
  const t = useT();
  return (
    <Alert type="info">
      {t('documents.review.another', { version })}{' '}
      <PortalLink href={`/documents/${name}?v=${version}`}>
        {t('documents.review.open', { version })}
      </PortalLink>
    </Alert>
  );
}
