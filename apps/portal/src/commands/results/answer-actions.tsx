import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RunAnswer, RunAnswers } from '@deviceportal/contract/run-answers';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import type { RankedAnswer } from './ranked-answer.ts';
import { runName } from '../runs/run-name.ts';
import { useRerunControl } from '../runs/rerun-control.tsx';

export interface AnswerActionsProps {
  readonly run: RunDetail;
  readonly answers: RunAnswers | undefined;
  readonly selected: readonly RankedAnswer[];
  readonly onRun: (run: RunDetail) => void;
  /** Whether numbers are grouped into ranges. */
  readonly ranges: boolean;
  readonly onRanges: (ranges: boolean) => void;
}

/**
 * The number of distinct outputs, and actions on the selected one: run again on its devices, or
 * save them as a view.
 */
export function AnswerActions(props: AnswerActionsProps): ReactNode {
  const { run, answers, selected, onRun } = props;
  const t = useT();
  const { mayRun, may } = useViewer();
  const again = useRerunControl(onRun);
  const keep = useKeep(run);
  const one = selected.length === 1 ? selected[0] : undefined;
  const allowed = mayRun(run.command, run.consequence);
  const oneOnly = t('commands.answers.chooseOne');
  const rerunReason = allowed
    ? oneOnly
    : t('app.needsPermission', { permission: `commands:run:${run.command}` });
  return (
    <>
      <Header
        variant="h2"
        {...(answers === undefined ? {} : { counter: `(${answers.distinct})` })}
        description={
          answers !== undefined && answers.unread > 0
            ? t('commands.answers.reading', { count: answers.unread })
            : t('commands.answers.description')
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs" alignItems="center">
            <Toggle
              checked={props.ranges}
              onChange={({ detail }) => props.onRanges(detail.checked)}
            >
              {t('commands.answers.ranges')}
            </Toggle>
            <Button
              disabled={one === undefined || !may('devices:read')}
              disabledReason={oneOnly}
              loading={keep.isPending}
              onClick={() => one && keep.start(one)}
            >
              {t('commands.answers.keep')}
            </Button>
            <Button
              disabled={one === undefined || !allowed}
              disabledReason={rerunReason}
              loading={again.busy}
              onClick={() =>
                one &&
                again.start({
                  runId: run.id,
                  command: run.command,
                  consequence: run.consequence,
                  target: one.count,
                  onlyFailed: false,
                  answer: one.sha256,
                })
              }
            >
              {t('commands.answers.again')}
            </Button>
          </SpaceBetween>
        }
      >
        {t('commands.answers.title')}
      </Header>
      {again.dialog}
    </>
  );
}

const MOST_NAME_CHARACTERS = 80;

function useKeep(run: RunDetail): {
  readonly start: (answer: RankedAnswer) => void;
  readonly isPending: boolean;
} {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const keep = useMutation(
    api.commands.keepAnswer.mutationOptions({
      onError: useErrorFlash(),
      onSuccess: (kept, { name }) => {
        void queryClient.invalidateQueries(api.devices.listViews.pathFilter());
        flash.add({
          type: 'success',
          dismissible: true,
          content: [
            t('commands.answers.kept', { name, count: kept.devices }),
            ...(kept.withoutSerialNumber === 0
              ? []
              : [t('commands.answers.leftOut', { count: kept.withoutSerialNumber })]),
          ].join(' '),
          action: (
            <PortalLink href={`/devices?targets=${kept.targetListId}`}>
              {t('commands.answers.open')}
            </PortalLink>
          ),
        });
      },
    }),
  );
  return {
    isPending: keep.isPending,
    start: ({ sha256, text, statusDetails }) =>
      keep.mutate({ runId: run.id, sha256, name: nameOf(run, { text, statusDetails }) }),
  };
}

/** `shell: command not found`: the command and the beginning of the output. */
function nameOf(
  run: RunDetail,
  { text, statusDetails }: Pick<RunAnswer, 'text' | 'statusDetails'>,
): string {
  const beginning = text.trim().split('\n')[0]?.trim() ?? '';
  return `${runName(run)}: ${beginning || statusDetails}`.slice(0, MOST_NAME_CHARACTERS).trim();
}
