import { useMemo } from 'react';
import { personLabel } from '@deviceportal/contract/people';
import type { CaseRow } from '@deviceportal/contract/cases';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { planColumns } from './assignment/plan-columns.tsx';
import { countWords } from './count-words.ts';

/** Columns of case tables. The array is stable until the language changes. */
export function useCaseColumns(): readonly TableColumn<CaseRow>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'case',
        header: t('cases.case'),
        rowHeader: true,
        always: true,
        width: 220,
        cell: (row) => (
          <PortalLink href={`/cases/${row.id}`}>
            {t('cases.bar.for', { name: personLabel(row.person) })}
          </PortalLink>
        ),
      },
      {
        id: 'about',
        header: t('cases.about'),
        width: 260,
        minWidth: 160,
        cell: (row) => row.about || '-',
      },
      {
        id: 'state',
        header: t('cases.state'),
        width: 130,
        minWidth: 120,
        cell: (row) =>
          row.outcome === null ? (
            <StatusOf kind="case" value={row.state} />
          ) : (
            <StatusOf kind="caseOutcome" value={row.outcome} />
          ),
      },
      ...planColumns(t),
      { id: 'ticket', header: t('cases.ticket'), width: 140, cell: (row) => row.ticket || '-' },
      {
        id: 'opened',
        header: t('cases.openedAt'),
        sort: 'opened',
        width: 150,
        cell: (row) => <Time at={row.openedAt} />,
      },
      {
        id: 'openedBy',
        header: t('cases.openedBy'),
        optional: true,
        width: 170,
        cell: (row) => row.openedBy,
      },
      {
        id: 'last',
        header: t('cases.lastEntry'),
        width: 150,
        cell: (row) => <Time at={row.lastEntryAt} />,
      },
      {
        id: 'entries',
        header: t('cases.entriesColumn'),
        optional: true,
        width: 130,
        cell: (row) => countWords(row.entries, t),
      },
    ],
    [t],
  );
}
