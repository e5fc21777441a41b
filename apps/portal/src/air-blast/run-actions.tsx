import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { navigateTo } from '../ui/navigate-to.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { useRefreshOnSettled } from './progress/use-refresh-on-settled.ts';

type Asked = 'abort' | 'pause' | 'rollBack';

/** Actions on the whole rollout, as the server allows them. */
export function RunActions({
  run,
  onEdit,
}: {
  readonly run: AirBlastDetail;
  readonly onEdit: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const options = { ...useRefreshOnSettled(), onError: useErrorFlash() };
  const pause = useMutation(api.airBlast.pause.mutationOptions(options));
  const resume = useMutation(api.airBlast.resume.mutationOptions(options));
  const abort = useMutation(api.airBlast.abort.mutationOptions(options));
  const handOver = useMutation(api.airBlast.handOver.mutationOptions(options));
  const takeOver = useMutation(api.airBlast.takeOver.mutationOptions(options));
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const { id, may } = run;
  const acts = [
    { key: 'takeOver', shown: may.takeOver, act: () => takeOver.mutate({ id }), on: takeOver },
    { key: 'resume', shown: may.resume, act: () => resume.mutate({ id }), on: resume },
    { key: 'pause', shown: may.pause && isSending(run), act: () => setAsked('pause'), on: pause },
    { key: 'abort', shown: may.abort, act: () => setAsked('abort'), on: abort },
  ] as const;
  const further = [
    { id: 'report', text: t('airBlast.reportTitle') },
    ...(may.edit ? [{ id: 'edit', text: t('airBlast.act.edit') }] : []),
    ...(may.pause && !isSending(run) ? [{ id: 'pause', text: t('airBlast.act.pause') }] : []),
    ...(run.mine && run.endedAt === null && !run.offered
      ? [{ id: 'handOver', text: t('airBlast.act.handOver') }]
      : []),
    ...(may.rollBack ? [{ id: 'rollBack', text: t('airBlast.act.rollBack') }] : []),
  ];
  const choose = (chosen: string): void => {
    if (chosen === 'report') navigateTo(`/air-blast/${id}/report`);
    if (chosen === 'edit') onEdit();
    if (chosen === 'handOver') handOver.mutate({ id });
    if (chosen === 'pause' || chosen === 'rollBack') setAsked(chosen);
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ButtonDropdown
        expandToViewport
        loading={handOver.isPending}
        items={further}
        onItemClick={({ detail }) => choose(detail.id)}
      >
        {t('airBlast.acts')}
      </ButtonDropdown>
      {acts
        .filter(({ shown }) => shown)
        .map(({ key, act, on }) => (
          <Button key={key} loading={on.isPending} onClick={act}>
            {t(`airBlast.act.${key}`)}
          </Button>
        ))}
      {asked === 'abort' || asked === 'pause' ? (
        <ReasonDialog
          act={asked}
          busy={asked === 'abort' ? abort.isPending : pause.isPending}
          onConfirm={(reason) =>
            (asked === 'abort' ? abort : pause).mutate({ id, reason }, { onSettled: close })
          }
          onCancel={close}
        />
      ) : null}
      {asked === 'rollBack' ? <RollBackDialog run={run} onClose={close} /> : null}
    </SpaceBetween>
  );
}

const isSending = ({ stepState, step }: AirBlastDetail): boolean =>
  stepState === 'running' && step !== 'preflight';
