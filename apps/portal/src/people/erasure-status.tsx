import Alert from '@cloudscape-design/components/alert';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ErasureProgress, PersonReference } from '@deviceportal/contract/personal-data';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { Time } from '../ui/time/time.tsx';

const everyMs = { erasing: refreshMs.work, finishing: refreshMs.list, erased: false } as const;

/** How far the erasure of a person is; nothing for a person who is not erased. */
export function ErasureStatus({ person }: { readonly person: PersonReference }): ReactNode {
  const api = useApi();
  const { may } = useViewer();
  const { data: progress } = useQuery(
    api.personalData.progress.queryOptions(person, {
      enabled: may('people:erase'),
      refetchInterval: ({ state }) => (state.data ? everyMs[state.data.state] : false),
    }),
  );
  return progress ? <Progress progress={progress} /> : null;
}

function Progress({ progress }: { readonly progress: ErasureProgress }): ReactNode {
  const t = useT();
  const { state, endedAt, changed, deleted, waitsFor, retryAt } = progress;
  const type = retryAt !== null ? 'warning' : state === 'erased' ? 'success' : 'info';
  return (
    <Alert type={type} header={t(`people.erasure.${state}`)}>
      <SpaceBetween size="xs">
        {state === 'erasing' ? <Steps progress={progress} /> : null}
        {state === 'finishing' ? (
          <div>{t('people.erasure.finishing.why', { runs: waitsFor })}</div>
        ) : null}
        <div>{t('people.erasure.counts', { changed, deleted })}</div>
        {endedAt === null ? null : <Time at={endedAt} style="absolute" />}
        {retryAt === null ? null : (
          <div>
            {t('people.erasure.failed')} <Time at={retryAt} style="absolute" />
          </div>
        )}
      </SpaceBetween>
    </Alert>
  );
}

function Steps({
  progress: { done, steps, part },
}: {
  readonly progress: ErasureProgress;
}): ReactNode {
  const t = useT();
  return (
    <ProgressBar
      value={steps === 0 ? 0 : (100 * done) / steps}
      label={part === null ? t('people.erasure.erasing') : t(`people.erasure.part.${part}`)}
      additionalInfo={t('people.erasure.steps', { done, steps })}
    />
  );
}
