import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import type { AirBlastDetail, AirBlastRollBack } from '@deviceportal/contract/air-blast';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { navigateTo } from '../ui/navigate-to.ts';

/** Creates a rollout that returns the changed devices to their previous version. */
export function RollBackDialog({
  run,
  onClose,
}: {
  readonly run: AirBlastDetail;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const { mutate, data, error } = useMutation(api.airBlast.prepareRollBack.mutationOptions());
  const { id } = run;
  useEffect(() => mutate({ id }), [mutate, id]);
  return (
    <Modal
      visible
      header={t('airBlast.act.rollBack')}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
    >
      <SpaceBetween size="m">
        <Box>{t('airBlast.rollBackEffect')}</Box>
        {run.component === null ? <Box>{t('airBlast.rollBackUndo')}</Box> : null}
        {error === null ? null : <ErrorView error={error} place="alert" />}
        {data === undefined && error === null ? <Spinner /> : null}
        {data?.map((one) => (
          <Button
            key={one.targetListId}
            onClick={() =>
              navigateTo(hrefOf(run, one, t('airBlast.rollBackName', { name: run.name })))
            }
          >
            {one.version === null
              ? t('airBlast.rollBackOn', { devices: one.devices })
              : t('airBlast.rollBackTo', { version: one.version, devices: one.devices })}
          </Button>
        ))}
      </SpaceBetween>
    </Modal>
  );
}

function hrefOf(
  { component }: AirBlastDetail,
  { version, targetListId }: AirBlastRollBack,
  name: string,
): string {
  const search = new URLSearchParams({ plan: '1', list: targetListId, name: name.slice(0, 128) });
  if (component !== null && version !== null) {
    search.set('component', component);
    search.set('version', version);
  }
  return `/air-blast?${search.toString()}`;
}
