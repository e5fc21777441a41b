import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type {
  DocumentDetail,
  DocumentVersionDetail,
  DocumentVersionRow,
} from '@deviceportal/contract/documents';
import { useApi } from '../api/use-api.ts';
import { ConsequenceBadge } from '../commands/consequence-badge.tsx';
import { WhyButton } from '../explanations/why-button.tsx';
import { useT, type Translate } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { StatusOf } from '../ui/status-of.tsx';
import { Time } from '../ui/time/time.tsx';
import { VersionDiff } from './review/version-diff.tsx';
import { LastReview } from './review/last-review.tsx';
import { versionNote } from './version-note.ts';

export interface VersionsTabProps {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
  /** The older version of a comparison with `shown`. */
  readonly comparedWith: number | null;
  readonly onCompare: (version: number, comparedWith: number) => void;
}

const answered = { isPending: false, error: null, refetch: () => undefined } as const;

/** All versions with author and reason, and the diff of two of them. */
export function VersionsTab(props: VersionsTabProps): ReactNode {
  const t = useT();
  const { document } = props;
  const columns = useVersionColumns(props);
  return (
    <SpaceBetween size="l">
      <DataTable
        id="document-versions"
        label={t('documents.version.all')}
        columns={columns}
        rows={document.versions}
        rowKey={(row) => String(row.version)}
        query={answered}
        empty={{ title: t('documents.version.all') }}
        variant="embedded"
        withoutSettings
        wrapLines
      />
      {props.comparedWith === null || props.comparedWith === props.shown.version ? null : (
        <Comparison {...props} comparedWith={props.comparedWith} />
      )}
    </SpaceBetween>
  );
}

function Comparison({
  document,
  shown,
  comparedWith,
}: VersionsTabProps & { readonly comparedWith: number }): ReactNode {
  const api = useApi();
  const before = useQuery(
    api.documents.getVersion.queryOptions({ name: document.name, version: comparedWith }),
  );
  if (before.isError) {
    return <ErrorView error={before.error} place="alert" onRetry={() => void before.refetch()} />;
  }
  if (before.data === undefined) return null;
  return <VersionDiff before={before.data} after={shown} />;
}

function useVersionColumns({
  document,
  shown,
  onCompare,
}: VersionsTabProps): readonly TableColumn<DocumentVersionRow>[] {
  const t = useT();
  return useMemo(
    () => [
      ...versionColumns(t, document.name),
      ...originColumns(t),
      {
        id: 'compare',
        header: t('documents.diff.column'),
        cell: (row) =>
          row.version === shown.version ? (
            t('documents.diff.shown')
          ) : (
            <Button
              variant="inline-link"
              onClick={() =>
                onCompare(
                  Math.max(row.version, shown.version),
                  Math.min(row.version, shown.version),
                )
              }
            >
              {t('documents.diff.with', { version: shown.version, other: row.version })}
            </Button>
          ),
      },
    ],
    [t, document.name, shown.version, onCompare],
  );
}

const versionColumns = (t: Translate, name: string): TableColumn<DocumentVersionRow>[] => [
  {
    id: 'version',
    header: t('documents.columns.version'),
    rowHeader: true,
    cell: (row) => (
      <PortalLink href={`/documents/${name}?v=${row.version}`}>
        {t(row.isDefault ? 'documents.version.default' : 'documents.version.other', {
          version: row.version,
        })}
      </PortalLink>
    ),
  },
  {
    id: 'state',
    header: t('documents.columns.state'),
    cell: (row) => (
      <>
        <StatusOf kind="document" value={row.state} />{' '}
        {row.state === 'active' ? null : (
          <WhyButton
            of={{ kind: 'document-version', name: name, version: row.version }}
            name={t('documents.version.other', { version: row.version })}
          />
        )}
      </>
    ),
  },
  {
    id: 'consequence',
    header: t('documents.columns.consequence'),
    cell: (row) => <ConsequenceBadge consequence={row.consequence} />,
  },
];

/** The author, reviewer, and reason of a version. */
const originColumns = (t: Translate): TableColumn<DocumentVersionRow>[] => [
  {
    id: 'createdAt',
    header: t('documents.version.made'),
    cell: (row) => (
      <>
        <Time at={row.createdAt} />
        <Box color="text-body-secondary" fontSize="body-s">
          {row.createdBy}
        </Box>
      </>
    ),
  },
  {
    id: 'review',
    header: t('documents.review.column'),
    cell: (row) => <LastReview version={row} />,
  },
  { id: 'note', header: t('documents.edit.note'), cell: (row) => versionNote(row.note, t) || '-' },
];
