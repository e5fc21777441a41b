import Button from '@cloudscape-design/components/button';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';

/** Pauses or resumes the unsent part of a run. Renders nothing if everything was sent. */
export function PauseControl({
  run,
  onChange,
}: {
  readonly run: RunDetail;
  readonly onChange: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const reactions = { onError: useErrorFlash(), onSuccess: onChange };
  const pause = useMutation(api.commands.pauseRun.mutationOptions(reactions));
  const resume = useMutation(api.commands.resumeRun.mutationOptions(reactions));
  if (run.state === 'Paused') {
    return (
      <Button
        variant="primary"
        onClick={() => resume.mutate({ id: run.id })}
        loading={resume.isPending}
      >
        {t('commands.result.resume')}
      </Button>
    );
  }
  const isOpen = run.state === 'Pending' || run.state === 'InProgress';
  if (!isOpen || run.counters.pending === 0) return null;
  return (
    <Button onClick={() => pause.mutate({ id: run.id })} loading={pause.isPending}>
      {t('commands.result.pause')}
    </Button>
  );
}
