import StatusIndicator, {
  type StatusIndicatorProps,
} from '@cloudscape-design/components/status-indicator';
import { useMemo, type ReactNode } from 'react';
import type { ImportKind, ImportRow } from '@deviceportal/contract/imports';
import { useFormat } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { refusalText } from '../ui/refusals/refusal-text.ts';
import type { TableColumn } from '../ui/table/table-column.ts';

export function useRowColumns(kind: ImportKind): readonly TableColumn<ImportRow>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'line',
        header: t('imports.line'),
        numeric: true,
        always: true,
        width: 90,
        cell: ({ line }) => format.number(line),
      },
      {
        id: 'key',
        header: t(`imports.key.${kind}`),
        rowHeader: true,
        always: true,
        width: 180,
        cell: (row) => <Key row={row} kind={kind} />,
      },
      {
        id: 'outcome',
        header: t('imports.outcome'),
        width: 140,
        cell: (row) => <Outcome row={row} />,
      },
      {
        id: 'problem',
        header: t('imports.problem'),
        width: 320,
        cell: (row) => problemWords(row, t),
      },
      {
        id: 'changes',
        header: t('imports.changes'),
        width: 380,
        cell: (row) => changeWords(row, t).map((words) => <div key={words}>{words}</div>),
      },
    ],
    [t, format, kind],
  );
}

/** What exists is a link: before the import, only what it changes. */
function Key({ row, kind }: { readonly row: ImportRow; readonly kind: ImportKind }): ReactNode {
  const { key, targetId, outcome, state } = row;
  const exists = targetId !== null && !(outcome === 'new' && state === 'undone');
  if (key === null) return '-';
  return exists ? <PortalLink href={`/${kind}/${targetId}`}>{key}</PortalLink> : key;
}

function Outcome({ row: { outcome, state } }: { readonly row: ImportRow }): ReactNode {
  const t = useT();
  const shown = state === 'left' || state === 'undone' ? state : outcome;
  return <StatusIndicator type={icons[shown]}>{t(`imports.outcome.${shown}`)}</StatusIndicator>;
}

const icons: Readonly<Record<ImportRow['outcome'] | 'left' | 'undone', StatusIndicatorProps.Type>> =
  {
    refused: 'error',
    changed: 'info',
    new: 'success',
    unchanged: 'stopped',
    left: 'warning',
    undone: 'stopped',
  };

function problemWords({ problem }: ImportRow, t: Translate): string {
  if (problem === null) return '-';
  const words = refusalText(problem, t) ?? problem.message;
  if (problem.column === null) return words;
  return t('imports.value', { column: t(`imports.column.${problem.column}`), after: words });
}

function changeWords({ changes, outcome }: ImportRow, t: Translate): readonly string[] {
  if (changes.length === 0) return ['-'];
  return changes.map(({ column, before, after }) => {
    const name = t(`imports.column.${column}`);
    const shown = { column: name, after: after ?? t('imports.empty') };
    return outcome === 'new'
      ? t('imports.value', shown)
      : t('imports.change', { ...shown, before: before ?? t('imports.empty') });
  });
}
