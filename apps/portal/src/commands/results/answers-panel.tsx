import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
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
import { AnswerText } from './answer-text.tsx';
import { ChosenAnswers } from './chosen-answers.tsx';
import { exitCodeOf } from './exit-code.ts';
import { sampleWords } from '../form/sample-words.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import type { RankedAnswer } from './ranked-answer.ts';

/** The distinct outputs of a run, each with the number of devices. */
export function AnswersPanel({
  run,
  onRun,
}: {
  readonly run: RunDetail;
  readonly onRun: (run: RunDetail) => void;
}): ReactNode {
  const t = useT();
  const [ranges, setRanges] = useState(false);
  const query = useAnswers(run, ranges);
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
        columns={useAnswerColumns(rows?.[0])}
        rows={rows}
        rowKey={({ sha256 }) => sha256}
        rowLabel={({ rank }) => t('commands.answers.number', { rank })}
        query={query}
        header={
          <AnswerActions
            run={run}
            answers={query.data}
            selected={selected}
            onRun={onRun}
            ranges={ranges}
            onRanges={(wanted) => {
              setRanges(wanted);
              setChosen([]);
            }}
          />
        }
        empty={{ title: t('commands.answers.none'), body: t('commands.answers.noneBody') }}
        selection="multi"
        selected={selected}
        // At most two are selected. A third one replaces the first.
        onSelect={(all) => setChosen(all.map(({ sha256 }) => sha256).slice(-2))}
        variant="container"
        wrapLines
        withoutSettings
      />
      <ChosenAnswers runId={run.id} selected={selected} />
    </SpaceBetween>
  );
}

function useAnswers(run: RunDetail, ranges: boolean) {
  const api = useApi();
  return useQuery(
    api.commands.listAnswers.queryOptions(
      { id: run.id, ranges },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) => {
          if ((state.data?.unread ?? 0) > 0) return refreshMs.reading;
          return isFinal(run.state) ? false : refreshMs.work;
        },
      },
    ),
  );
}

function useAnswerColumns(first: RankedAnswer | undefined): readonly TableColumn<RankedAnswer>[] {
  const t = useT();
  const format = useFormat();
  const common = first?.text;
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
        cell: ({ count, outputs }) =>
          outputs === 1
            ? format.number(count)
            : t('commands.answers.grouped', { count: format.number(count), outputs }),
      },
      {
        id: 'state',
        header: t('commands.steps.state'),
        minWidth: 150,
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
        minWidth: 320,
        cell: ({ text, rank }) => (
          <AnswerText text={text} common={rank === 1 ? null : (common ?? null)} />
        ),
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
    [t, format, common],
  );
}
