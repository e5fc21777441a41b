import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { useAddRecentItem } from '../ui/use-add-recent-item.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { DocumentHeader } from './document-header.tsx';
import { DocumentSummary } from './document-summary.tsx';
import { DocumentTabs } from './document-tabs.tsx';
import { EditDocument } from './editor/edit-document.tsx';
import { ReviewPanel } from './review/review-panel.tsx';
import { decodeVersions, encodeVersions } from './review/version-range.ts';
import './documents.css';

export const Route = createLazyRoute('/documents/$id')({ component: DocumentPage });

const route = getRouteApi('/documents/$id');

function DocumentPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { id } = route.useParams();
  useBreadcrumbs([
    { text: t('app.nav.documents'), href: '/documents' },
    { text: id, href: `/documents/${id}` },
  ]);
  if (!may('documents:read')) {
    return <NoAccess area={t('app.nav.documents')} permission="documents:read" />;
  }
  return <KnownViewer key={id} name={id} />;
}

function KnownViewer({ name }: { readonly name: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const { v, edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { version } = decodeVersions(v);
  const document = useQuery(api.documents.get.queryOptions({ name }));
  const shown = useQuery(
    api.documents.getVersion.queryOptions({ name, version }, { placeholderData: keepPreviousData }),
  );
  useAddRecentItem(document.data && { kind: 'document', id: name, label: name });
  const { refetch } = document;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const subject = { kind: t('commands.document.title'), id: name };
  const failed = document.isError ? document : shown.isError ? shown : undefined;
  if (failed !== undefined) {
    return (
      <ErrorView error={failed.error} subject={subject} onRetry={() => void failed.refetch()} />
    );
  }
  if (document.data === undefined || shown.data === undefined) {
    return (
      <Box padding="xxl" textAlign="center">
        <Spinner size="large" />
      </Box>
    );
  }
  if (edit) {
    return (
      <EditDocument
        document={document.data}
        base={shown.data}
        onDone={(saved) =>
          void navigate({ search: (old) => ({ ...old, edit: false, v: saved ?? '' }) })
        }
      />
    );
  }
  return <Loaded document={document.data} shown={shown.data} />;
}

interface LoadedProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
}

function Loaded({ document, shown }: LoadedProps): ReactNode {
  const navigate = route.useNavigate();
  const choose = (version: number, comparedWith: number | null = null): void =>
    void navigate({
      search: (old) => ({ ...old, v: encodeVersions({ version, comparedWith }) }),
      replace: true,
    });
  return (
    <SpaceBetween size="l">
      <DocumentHeader
        document={document}
        shown={shown}
        onVersion={choose}
        onEdit={() =>
          // Starts from the latest text, so that saving does not revert a change of another user.
          void navigate({
            search: (old) => ({ ...old, edit: true, v: document.latestVersion }),
          })
        }
      />
      <ReviewPanel document={document} shown={shown} />
      <DocumentSummary document={document} shown={shown} />
      <DocumentTabs document={document} shown={shown} />
    </SpaceBetween>
  );
}
