import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useViewer } from '../shell/viewer-context.tsx';
import { LastReview } from './last-review.tsx';
import { ReviewDecision } from './review-decision.tsx';
import { useDocumentChanges } from './use-document-changes.tsx';

export interface ReviewPanelProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
}

/** Where the version on screen stands on its way to being run, and what the person in front of it can do about that. */
export function ReviewPanel(props: ReviewPanelProps): ReactNode {
  const { document, shown } = props;
  if (document.state === 'deprecated') return null;
  if (shown.state === 'draft') return <Draft {...props} />;
  if (shown.state === 'review') return <InReview {...props} />;
  const waiting = document.versionInReview;
  return waiting === null ? null : <AnotherInReview name={document.name} version={waiting} />;
}

function Draft({ document, shown }: ReviewPanelProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const changes = useDocumentChanges(document);
  const rejected = shown.review?.decision === 'rejected';
  const { version } = shown;
  return (
    <Alert
      type={rejected ? 'warning' : 'info'}
      header={t(rejected ? 'documents.review.rejectedTitle' : 'documents.review.draftTitle', {
        version,
      })}
      action={
        may('documents:manage') ? (
          <Button loading={changes.busy} onClick={() => changes.sendForReview(version)}>
            {t('documents.review.sendShort')}
          </Button>
        ) : undefined
      }
    >
      <SpaceBetween size="xs">
        {rejected ? <LastReview version={shown} /> : null}
        <WhoApproves document={document} />
      </SpaceBetween>
    </Alert>
  );
}

/** In words whom to ask: the roles that may approve, and that one's own text needs somebody else. */
function WhoApproves({ document }: { readonly document: DocumentDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  return t('documents.review.whoApproves', {
    roles: format.list([...document.approverRoles]) || 'documents:approve',
  });
}

function InReview(props: ReviewPanelProps): ReactNode {
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
        <SpaceBetween size="xs">
          <div>{sent}</div>
          {decides ? null : (
            <div>
              {shown.own && may('documents:approve') ? `${t('documents.review.own')} ` : ''}
              <WhoApproves document={document} />
            </div>
          )}
        </SpaceBetween>
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
