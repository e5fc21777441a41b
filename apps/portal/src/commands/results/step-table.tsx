import type { ReactNode } from 'react';
import { useMemo } from 'react';
import Header from '@cloudscape-design/components/header';
import type { InvocationStep } from '@deviceportal/contract/invocations';
import { useFormat } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { exitCodeOf } from './exit-code.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';

const answered = { isPending: false, error: null, refetch: () => undefined } as const;

/** The steps of a document with their results. */
export function StepTable({ steps }: { readonly steps: readonly InvocationStep[] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const columns = useMemo(
    (): readonly TableColumn<InvocationStep>[] => [
      {
        id: 'name',
        header: t('commands.steps.name'),
        cell: (step) => `${step.index + 1}. ${step.name}`,
        rowHeader: true,
      },
      ...(steps.every(({ phase }) => phase === 'main') ? [] : [phaseColumn(t)]),
      {
        id: 'state',
        header: t('commands.steps.state'),
        cell: (step) => (
          <StatusOf
            kind="step"
            value={step.state}
            {...(step.reason === null || step.reason.toLowerCase() === step.state.toLowerCase()
              ? {}
              : { detail: `· ${step.reason}` })}
          />
        ),
      },
      {
        id: 'exitCode',
        header: t('commands.result.exitCode'),
        cell: (step) => exitCodeOf(step.exitCode)?.toString() ?? '-',
        numeric: true,
      },
      {
        id: 'duration',
        header: t('commands.steps.duration'),
        cell: (step) => durationOf(step, format.duration),
        numeric: true,
      },
      { id: 'action', header: t('commands.steps.action'), cell: (step) => step.action },
    ],
    [t, format, steps],
  );
  return (
    <DataTable
      id="command-steps"
      label={t('commands.steps.title')}
      columns={columns}
      rows={steps}
      rowKey={(step) => String(step.index)}
      query={answered}
      header={<Header variant="h2">{t('commands.steps.title')}</Header>}
      empty={{ title: t('commands.steps.none') }}
      variant="container"
      withoutSettings
    />
  );
}

/** Only for documents with a pre-check, verification, or undo. */
function phaseColumn(t: Translate): TableColumn<InvocationStep> {
  return {
    id: 'phase',
    header: t('commands.steps.phase'),
    cell: (step) => t(`commands.phases.${step.phase}`),
  };
}

function durationOf(step: InvocationStep, words: (durationMs: number) => string): string {
  if (step.startedAt === null || step.endedAt === null) return '-';
  return words(Math.max(0, Date.parse(step.endedAt) - Date.parse(step.startedAt)));
}
