import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo } from 'react';
import type { DocumentRow } from '@deviceportal/contract/documents';
import { commandHref } from '../commands/command-href.ts';
import { platformNames } from '../commands/platform-names.ts';
import { useCommandWords, type CommandWords } from '../commands/use-command-words.ts';
import { ConsequenceBadge } from '../commands/consequence-badge.tsx';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

/**
 * @param waiting Whether the list shows documents that need a review. Names then link to the
 * version in review.
 */
export function useDocumentColumns(waiting: boolean): readonly TableColumn<DocumentRow>[] {
  const t = useT();
  const format = useFormat();
  const words = useCommandWords();
  return useMemo(
    () => [
      ...nameColumns(t, waiting),
      ...contentColumns(t, format),
      ...usageColumns(t, format),
      ...changeColumns(t),
      ...optionalColumns(t, words),
    ],
    [t, format, words, waiting],
  );
}

const nameColumns = (t: Translate, waiting: boolean): TableColumn<DocumentRow>[] => [
  {
    id: 'name',
    header: t('documents.columns.name'),
    sort: 'name',
    rowHeader: true,
    always: true,
    width: 280,
    cell: (row) => (
      <PortalLink
        href={
          waiting && row.versionInReview !== null
            ? `/documents/${row.name}?v=${row.versionInReview}`
            : `/documents/${row.name}`
        }
      >
        {row.name}
      </PortalLink>
    ),
  },
  {
    id: 'state',
    width: 190,
    header: t('documents.columns.state'),
    cell: (row) => (
      <SpaceBetween size="xxxs">
        <StatusOf kind="document" value={row.state} />
        {row.versionInReview === null || row.state === 'review' ? null : (
          <PortalLink href={`/documents/${row.name}?v=${row.versionInReview}`} fontSize="body-s">
            {t('documents.columns.inReview', { version: row.versionInReview })}
          </PortalLink>
        )}
      </SpaceBetween>
    ),
  },
];

const contentColumns = (t: Translate, format: Formatters): TableColumn<DocumentRow>[] => [
  {
    id: 'commands',
    width: 180,
    header: t('documents.columns.commands'),
    cell: (row) =>
      row.commands.length === 0 ? (
        '-'
      ) : (
        <SpaceBetween direction="horizontal" size="xs">
          {row.commands.map((command) => (
            <PortalLink key={command} href={commandHref(command)}>
              {command}
            </PortalLink>
          ))}
        </SpaceBetween>
      ),
  },
  {
    id: 'consequence',
    width: 140,
    header: t('documents.columns.consequence'),
    cell: (row) => <ConsequenceBadge consequence={row.consequence} />,
  },
  {
    id: 'version',
    width: 150,
    header: t('documents.columns.version'),
    numeric: true,
    cell: (row) =>
      row.defaultVersion === row.latestVersion
        ? String(row.defaultVersion)
        : t('documents.columns.versionOf', {
            version: row.defaultVersion ?? 'none',
            latest: row.latestVersion,
          }),
  },
  {
    id: 'platforms',
    width: 170,
    header: t('documents.columns.platforms'),
    cell: (row) => format.list(platformNames(row.platforms)) || '-',
  },
  {
    id: 'parameters',
    width: 130,
    header: t('documents.columns.parameters'),
    numeric: true,
    cell: (row) => String(row.parameterCount),
  },
];

const usageColumns = (t: Translate, format: Formatters): TableColumn<DocumentRow>[] => [
  {
    id: 'lastUsedAt',
    header: t('documents.columns.lastUsed'),
    cell: (row) => <Time at={row.lastUsedAt} />,
  },
  {
    id: 'successRate',
    width: 190,
    header: t('documents.columns.successRate'),
    numeric: true,
    cell: (row) => (row.successRate === null ? '-' : format.percent(row.successRate)),
  },
];

const changeColumns = (t: Translate): TableColumn<DocumentRow>[] => [
  {
    id: 'updatedAt',
    header: t('documents.columns.updated'),
    sort: 'updatedAt',
    cell: (row) => <Time at={row.updatedAt} />,
  },
  { id: 'updatedBy', header: t('documents.columns.updatedBy'), cell: (row) => row.updatedBy },
];

const optionalColumns = (t: Translate, words: CommandWords): TableColumn<DocumentRow>[] => [
  {
    id: 'description',
    header: t('documents.columns.description'),
    optional: true,
    cell: (row) => words.document(row) || '-',
  },
  {
    id: 'labels',
    header: t('documents.columns.labels'),
    optional: true,
    cell: (row) =>
      Object.entries(row.labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(', ') || '-',
  },
];
