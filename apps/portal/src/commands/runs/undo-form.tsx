import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UndoOffer } from '@deviceportal/contract/run-undo';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi } from '../../api/use-api.ts';
import { StepList } from '../../documents/step-list.tsx';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { isChangeLockRefusal } from '../target/change-lock-refusal.ts';
import { ChangedTargetAlert } from '../target/changed-target-alert.tsx';
import { ConfirmRun } from '../form/confirm-run.tsx';
import { RunGuardNotice } from '../form/run-guard-notice.tsx';
import { ShownDevices } from '../target/shown-devices.tsx';
import { LockHolderRuns } from '../queued-behind-alert.tsx';
import { undoneNames, UndoSummary, type UndoSummaryProps } from './undo-summary.tsx';
import { useUndoState, type UndoState } from './use-undo-state.ts';

export interface UndoFormProps {
  readonly runId: string;
  /** Empty for all devices of the run. */
  readonly deviceId: string;
  readonly onRun: (run: RunDetail) => void;
}

/** The form to undo a run: devices, effect, and values. */
export function UndoForm(props: UndoFormProps): ReactNode {
  const t = useT();
  const api = useApi();
  const deviceId = props.deviceId || null;
  const query = useQuery(
    api.commands.getUndo.queryOptions({ runId: props.runId, deviceId }, { staleTime: 0 }),
  );
  if (query.isError) {
    return (
      <ErrorView
        error={query.error}
        subject={{ kind: t('commands.undo.of'), id: props.runId }}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (query.data === undefined) return <Spinner size="large" />;
  return <Offered {...props} offer={query.data} onBusy={() => void query.refetch()} />;
}

function Offered({
  offer,
  ...rest
}: UndoFormProps & {
  readonly offer: UndoOffer;
  readonly onBusy: () => void;
}): ReactNode {
  const t = useT();
  const state = useUndoState({ offer, ...rest });
  return (
    <SpaceBetween size="l">
      <UndoSummary offer={offer} state={state} />
      <Container header={<Header variant="h2">{t('commands.undo.steps')}</Header>}>
        <StepList steps={offer.steps} />
      </Container>
      <UndoRequest offer={offer} state={state} />
      {state.confirming ? <ConfirmUndo offer={offer} state={state} /> : null}
    </SpaceBetween>
  );
}

/** The comment, problems, and the button. */
function UndoRequest({ offer, state }: UndoSummaryProps): ReactNode {
  const t = useT();
  return (
    <Container>
      <SpaceBetween size="m">
        <FormField label={t('commands.options.comment')} stretch>
          <Input
            value={state.comment}
            onChange={({ detail }) => state.setComment(detail.value.slice(0, 500))}
          />
        </FormField>
        {offer.busy.length === 0 ? null : <LockedDevices offer={offer} state={state} />}
        {isChangeLockRefusal(state.error) && offer.busy.length === 0 ? (
          <Alert type="warning">{t('commands.busy.refused')}</Alert>
        ) : null}
        {state.confirming ? null : <UndoRefusal state={state} />}
        <RunGuardNotice guard={state.preview.data?.guard ?? 'none'} />
        <Button
          variant="primary"
          loading={state.busy}
          disabled={
            state.reason !== undefined ||
            state.isUnsettled ||
            state.preview.data?.guard === 'air-blast'
          }
          {...(state.reason === undefined ? {} : { disabledReason: state.reason })}
          onClick={state.press}
        >
          {t('commands.undo.start', { count: state.preview.data?.count ?? offer.count })}
        </Button>
      </SpaceBetween>
    </Container>
  );
}

/** Devices whose change lock another command has. */
function LockedDevices({ offer, state }: UndoSummaryProps): ReactNode {
  const t = useT();
  return (
    <Alert type="warning" header={t('commands.busy.others')}>
      <LockHolderRuns runs={offer.busy} />
      <Checkbox checked={state.queues} onChange={({ detail }) => state.setQueues(detail.checked)}>
        {t('commands.busy.queue')}
      </Checkbox>
    </Alert>
  );
}

function ConfirmUndo({ offer, state }: UndoSummaryProps): ReactNode {
  const t = useT();
  const count = state.preview.data?.count ?? offer.count;
  return (
    <ConfirmRun
      command={`${offer.command} · ${t('commands.undo.action')}`}
      consequence={offer.consequence}
      target={offer.count === 1 ? (undoneNames(offer)[0] ?? 1) : count}
      duration={null}
      devices={offer.count > 1 ? <UndoneDevices state={state} /> : null}
      guard={state.preview.data?.guard}
      disabled={state.isUnsettled}
      busy={state.busy}
      error={state.changed === null ? state.error : null}
      onConfirm={state.send}
      onCancel={state.cancel}
    />
  );
}

function UndoRefusal({ state }: { readonly state: UndoState }): ReactNode {
  const { error, changed, reload } = state;
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={reload} />;
  if (error === null || isChangeLockRefusal(error)) return null;
  return <ErrorView error={error} place="alert" />;
}

function UndoneDevices({ state }: { readonly state: UndoState }): ReactNode {
  const { changed, preview, reload } = state;
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={reload} />;
  if (preview.data === undefined || preview.isFetching) return <Spinner />;
  return <ShownDevices preview={preview.data} listId={null} />;
}
