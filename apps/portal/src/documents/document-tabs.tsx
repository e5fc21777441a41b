import Spinner from '@cloudscape-design/components/spinner';
import Tabs from '@cloudscape-design/components/tabs';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import { useT } from '../i18n/use-t.ts';
import { DocumentUsage } from './document-usage.tsx';
import { ParameterTable } from './parameter-table.tsx';
import { PermissionsTab } from './permissions-tab.tsx';
import { decodeVersions, encodeVersions } from './review/version-range.ts';
import { SourceTab } from './source-tab.tsx';
import { StepsTab } from './steps-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';

const TestDocument = lazy(async () => ({
  default: (await import('./review/test-document.tsx')).TestDocument,
}));

const route = getRouteApi('/documents/$id');

export interface DocumentTabsProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
}

/** The parts of the version on screen, and the versions and runs of the document. */
export function DocumentTabs({ document, shown }: DocumentTabsProps): ReactNode {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { comparedWith } = decodeVersions(search.v);
  const compare = (version: number, older: number): void =>
    void navigate({
      search: (old) => ({
        ...old,
        tab: 'versions',
        v: encodeVersions({ version, comparedWith: older }),
      }),
    });
  return (
    <Tabs
      activeTabId={search.tab || (comparedWith === null ? 'steps' : 'versions')}
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
          content: <TryTab document={document} shown={shown} />,
        },
        { id: 'source', label: t('documents.tab.source'), content: <SourceTab shown={shown} /> },
        {
          id: 'versions',
          label: t('documents.tab.versions', { count: document.versions.length }),
          content: (
            <VersionsTab
              document={document}
              shown={shown}
              comparedWith={comparedWith}
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
  );
}

function TryTab({ document, shown }: DocumentTabsProps): ReactNode {
  return (
    <Suspense fallback={<Spinner />}>
      <TestDocument
        key={shown.version}
        name={document.name}
        version={shown.version}
        content={shown.content}
        phasesText={shown.phasesText}
        parameters={shown.parameters}
        hasUndo={shown.phases.undo !== undefined}
      />
    </Suspense>
  );
}
