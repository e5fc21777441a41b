import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import Tabs from '@cloudscape-design/components/tabs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, type ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { useRemember } from '../ui/use-remember.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { DocumentHeader } from './document-header.tsx';
import { DocumentSummary } from './document-summary.tsx';
import { DocumentUsage } from './document-usage.tsx';
import { EditDocument } from './editor/edit-document.tsx';
import { ParameterTable } from './parameter-table.tsx';
import { PermissionsTab } from './permissions-tab.tsx';
import { ReviewPanel } from './review/review-panel.tsx';
import { SourceTab } from './source-tab.tsx';
import { StepsTab } from './steps-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';
import { decodeVersions, encodeVersions } from './review/version-range.ts';
import './documents.css';

const TryDocument = lazy(async () => ({
  default: (await import('./review/try-document.tsx')).TryDocument,
}));

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
  useRemember(document.data && { kind: 'document', id: name, label: name });
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
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choice = decodeVersions(search.v);
  const choose = (version: number, comparedWith: number | null = null): void =>
    void navigate({
      search: (old) => ({ ...old, v: encodeVersions({ version, comparedWith }) }),
      replace: true,
    });
  const compare = (version: number, comparedWith: number): void =>
    void navigate({
      search: (old) => ({ ...old, tab: 'versions', v: encodeVersions({ version, comparedWith }) }),
    });
  return (
    <SpaceBetween size="l">
      <DocumentHeader
        document={document}
        shown={shown}
        onVersion={choose}
        onEdit={() =>
          // From the latest text, so that saving takes nothing back that somebody else has added.
          void navigate({
            search: (old) => ({ ...old, edit: true, v: document.latestVersion }),
          })
        }
      />
      <ReviewPanel document={document} shown={shown} />
      <DocumentSummary document={document} shown={shown} />
      <Tabs
        activeTabId={search.tab || (choice.comparedWith === null ? 'steps' : 'versions')}
        onChange={({ detail }) =>
          void navigate({ search: (old) => ({ ...old, tab: detail.activeTabId }), replace: true })
        }
        tabs={[
          {
            id: 'steps',
            label: t('documents.tab.steps'),
            content: <StepsTab steps={shown.steps} phases={shown.phases} />,
          },
          {
            id: 'parameters',
            label: t('documents.tab.parameters', { count: Object.keys(shown.parameters).length }),
            content: <ParameterTable documentName={document.name} parameters={shown.parameters} />,
          },
          {
            id: 'try',
            label: t('documents.tab.try'),
            content: (
              <Suspense fallback={<Spinner />}>
                <TryDocument
                  key={shown.version}
                  name={document.name}
                  version={shown.version}
                  content={shown.content}
                  phasesText={shown.phasesText}
                  parameters={shown.parameters}
                  hasUndo={shown.phases.undo !== undefined}
                />
              </Suspense>
            ),
          },
          { id: 'source', label: t('documents.tab.source'), content: <SourceTab shown={shown} /> },
          {
            id: 'versions',
            label: t('documents.tab.versions', { count: document.versions.length }),
            content: (
              <VersionsTab
                document={document}
                shown={shown}
                comparedWith={choice.comparedWith}
                onCompare={compare}
              />
            ),
          },
          {
            id: 'usage',
            label: t('documents.tab.usage'),
            content: <DocumentUsage document={document} />,
          },
          {
            id: 'permissions',
            label: t('documents.tab.permissions'),
            content: <PermissionsTab shown={shown} />,
          },
        ]}
      />
    </SpaceBetween>
  );
}
