import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { AnswerActions } from './answer-actions.tsx';
import { ChosenAnswers } from './chosen-answers.tsx';
import { exitCodeOf } from './exit-code.ts';
import { sampleWords } from '../form/sample-words.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import type { RankedAnswer } from './ranked-answer.ts';

const SHOWN_CHARACTERS = 160;

/** The distinct outputs of a run, each with the number of devices. */
export function AnswersPanel({
  run,
  onRun,
}: {
  readonly run: RunDetail;
  readonly onRun: (run: RunDetail) => void;
}): ReactNode {
  const t = useT();
  const query = useAnswers(run);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const rows = useMemo(
    () =>
      query.data?.answers.map((answer, index): RankedAnswer => ({ ...answer, rank: index + 1 })),
    [query.data],
  );
  const selected = (rows ?? []).filter(({ sha256 }) => chosen.includes(sha256));
  return (
    <SpaceBetween size="l">
      <DataTable
        id="run-answers"
        label={t('commands.answers.title')}
        columns={useAnswerColumns()}
        rows={rows}
        rowKey={({ sha256 }) => sha256}
        rowLabel={({ rank }) => t('commands.answers.number', { rank })}
        query={query}
        header={<AnswerActions run={run} answers={query.data} selected={selected} onRun={onRun} />}
        empty={{ title: t('commands.answers.none'), body: t('commands.answers.noneBody') }}
        selection="multi"
        selected={selected}
        // At most two are selected. A third one replaces the first.
        onSelect={(all) => setChosen(all.map(({ sha256 }) => sha256).slice(-2))}
        variant="container"
        withoutSettings
      />
      <ChosenAnswers runId={run.id} selected={selected} />
    </SpaceBetween>
  );
}

function useAnswers(run: RunDetail) {
  const api = useApi();
  return useQuery(
    api.commands.listAnswers.queryOptions(
      { id: run.id },
      {
        refetchInterval: ({ state }) => {
          if ((state.data?.unread ?? 0) > 0) return refreshMs.reading;
          return isFinal(run.state) ? false : refreshMs.work;
        },
      },
    ),
  );
}

function useAnswerColumns(): readonly TableColumn<RankedAnswer>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'rank',
        header: t('commands.answers.rank'),
        rowHeader: true,
        always: true,
        width: 110,
        cell: ({ rank }) => t('commands.answers.number', { rank }),
      },
      {
        id: 'count',
        header: t('commands.answers.devices'),
        numeric: true,
        cell: ({ count }) => format.number(count),
      },
      {
        id: 'state',
        header: t('commands.steps.state'),
        cell: ({ statusDetails, responseCode }) => (
          <StatusOf
            kind="statusDetails"
            value={statusDetails}
            {...((exitCodeOf(responseCode) ?? 0) === 0
              ? {}
              : { detail: t('commands.result.exit', { code: responseCode }) })}
          />
        ),
      },
      {
        id: 'text',
        header: t('commands.answers.said'),
        cell: ({ text }) => beginningOf(text) || t('commands.answers.nothing'),
      },
      {
        id: 'sample',
        header: t('commands.answers.sample'),
        cell: ({ sample, count }) => {
          const names = sample.map((one) => one.serialNumber ?? one.name);
          return sampleWords(names, count, { t, format });
        },
      },
    ],
    [t, format],
  );
}

const beginningOf = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS);
