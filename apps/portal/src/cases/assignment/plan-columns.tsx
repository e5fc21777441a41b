import type { CaseRow } from '@deviceportal/contract/cases';
import type { Translate } from '../../i18n/use-t.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { assigneeName } from './assignee-name.ts';
import { DueTime } from './due-time.tsx';

/** The columns by which work is planned. */
export const planColumns = (t: Translate): readonly TableColumn<CaseRow>[] => [
  {
    id: 'priority',
    header: t('cases.priority'),
    sort: 'priority',
    width: 120,
    minWidth: 115,
    cell: (row) => <StatusOf kind="casePriority" value={row.priority} />,
  },
  {
    id: 'due',
    header: t('cases.due'),
    sort: 'due',
    width: 190,
    cell: (row) => <DueTime of={row} />,
  },
  {
    id: 'assignee',
    header: t('cases.assignee'),
    width: 170,
    cell: (row) => assigneeName(row, t),
  },
  { id: 'queue', header: t('cases.queue'), width: 140, cell: (row) => row.queue || '-' },
];
