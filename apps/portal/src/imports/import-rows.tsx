import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  importOutcomes,
  type ImportDetail,
  type ImportOutcome,
} from '@deviceportal/contract/imports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { useRowColumns } from './use-row-columns.tsx';

type Show = ImportOutcome | 'left';

/** The rows of an import with what they do: refused ones first. */
export function ImportRows({ detail }: { readonly detail: ImportDetail }): ReactNode {
  const t = useT();
  const api = useApi();
  const { id, kind, state, counts } = detail;
  const [show, setShow] = useState<Show | null>(null);
  const pageSize = useTablePageSize('import-rows');
  const pages = useKeysetPages(JSON.stringify([show, state, pageSize]));
  const query = useQuery(
    api.imports.listRows.queryOptions(
      { id, show, pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  const shown: readonly Show[] = counts.left > 0 ? ['left', ...importOutcomes] : importOutcomes;
  return (
    <DataTable
      id="import-rows"
      variant="container"
      label={t('imports.rows')}
      wrapLines
      columns={useRowColumns(kind)}
      rows={query.data?.rows}
      rowKey={({ line }) => String(line)}
      query={query}
      filter={
        <SegmentedControl
          selectedId={show ?? 'all'}
          label={t('imports.show')}
          options={[
            { id: 'all', text: t('imports.show.all', { count: counts.rows }) },
            ...shown.map((outcome) => ({
              id: outcome,
              text: t('imports.outcome.count', {
                outcome: t(`imports.outcome.${outcome}`),
                count: counts[outcome],
              }),
            })),
          ]}
          onChange={({ detail: { selectedId } }) =>
            setShow(selectedId === 'all' ? null : (selectedId as Show))
          }
        />
      }
      empty={{ title: t('imports.noRows'), body: t('imports.noRowsBody') }}
      onClearFilter={show === null ? undefined : () => setShow(null)}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
    />
  );
}
