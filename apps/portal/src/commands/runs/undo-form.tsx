import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { UndoOffer } from '@deviceportal/contract/run-undo';
import type { RunDetail } from '@deviceportal/contract/runs';
import { useApi } from '../../api/use-api.ts';
import { StepList } from '../../documents/step-list.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { Time } from '../../ui/time/time.tsx';
import { isBusyRefusal } from '../target/busy-refusal.ts';
import { ChangedTargetAlert } from '../target/changed-target-alert.tsx';
import { changedTargetOf } from '../target/changed-target.ts';
import { commandHref } from '../command-href.ts';
import { asksFirst, ConfirmRun } from '../form/confirm-run.tsx';
import { ConsequenceBadge } from '../consequence-badge.tsx';
import { ParameterValues } from '../form/parameter-values.tsx';
import { documentOf } from './run-href.ts';
import { RunGuardNotice } from '../form/run-guard-notice.tsx';
import { ShownDevices } from '../target/shown-devices.tsx';
import { TargetReach } from '../target/target-reach.tsx';
import { useUndo } from '../form/use-run-command.ts';
import { shownTarget } from '../target/use-target.ts';
import { BusyRuns } from '../waits-behind.tsx';

export interface UndoFormProps {
  readonly runId: string;
  /** Empty: on all devices of the run. */
  readonly deviceId: string;
  readonly onRun: (run: RunDetail) => void;
}

/** The undo of a run, filled in: whom it reaches, what it does, with which values. */
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
  deviceId,
  onRun,
  onBusy,
}: UndoFormProps & {
  readonly offer: UndoOffer;
  /** What can be undone has changed: it is to be asked anew. */
  readonly onBusy: () => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const state = useUndoState({ offer, deviceId, onRun, onBusy });
  const names = offer.sample.map(({ serialNumber, name }) => serialNumber ?? name);
  const more = offer.count > names.length ? ' …' : '';
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t('commands.undo.title')}</Header>}>
        <SpaceBetween size="m">
          <div className="dp-command-chip">
            <PortalLink href={`/documents/${offer.documentName}?v=${offer.documentVersion}`}>
              {offer.documentName}:{offer.documentVersion}
            </PortalLink>
            <ConsequenceBadge consequence={offer.consequence} />
            <PortalLink href={resultHref(offer, offer.runId)}>{t('commands.undo.open')}</PortalLink>
          </div>
          {offer.hindrance === null ? (
            <Box>
              {t('commands.undo.reaches', {
                count: offer.count,
                names: `${format.list(names)}${more}`,
              })}
            </Box>
          ) : (
            <Alert type="info">{t(`commands.undo.${offer.hindrance}`)}</Alert>
          )}
          {state.preview.data === undefined || offer.count === 1 ? null : (
            <TargetReach preview={state.preview.data} />
          )}
          <UndoneBy offer={offer} />
          <Box color="text-body-secondary">{t('commands.undo.sameValues')}</Box>
          <ParameterValues parameters={offer.parameters} />
        </SpaceBetween>
      </Container>
      <Container header={<Header variant="h2">{t('commands.undo.steps')}</Header>}>
        <StepList steps={offer.steps} />
      </Container>
      <Container>
        <SpaceBetween size="m">
          <FormField label={t('commands.options.comment')} stretch>
            <Input
              value={state.comment}
              onChange={({ detail }) => state.setComment(detail.value.slice(0, 500))}
            />
          </FormField>
          {offer.busy.length === 0 ? null : (
            <Alert type="warning" header={t('commands.busy.others')}>
              <BusyRuns runs={offer.busy} />
              <Checkbox
                checked={state.queues}
                onChange={({ detail }) => state.setQueues(detail.checked)}
              >
                {t('commands.busy.queue')}
              </Checkbox>
            </Alert>
          )}
          {isBusyRefusal(state.error) && offer.busy.length === 0 ? (
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
      {state.confirming ? (
        <ConfirmRun
          command={`${offer.command} · ${t('commands.undo.action')}`}
          consequence={offer.consequence}
          target={offer.count === 1 ? (names[0] ?? 1) : (state.preview.data?.count ?? offer.count)}
          duration={null}
          devices={offer.count > 1 ? <UndoneDevices state={state} /> : null}
          guard={state.preview.data?.guard}
          disabled={state.isUnsettled}
          busy={state.busy}
          error={state.changed === null ? state.error : null}
          onConfirm={state.send}
          onCancel={state.cancel}
        />
      ) : null}
    </SpaceBetween>
  );
}

function useUndoState({
  offer,
  deviceId,
  onRun,
  onBusy,
}: Pick<UndoFormProps, 'deviceId' | 'onRun'> & {
  readonly offer: UndoOffer;
  readonly onBusy: () => void;
}) {
  const t = useT();
  const [comment, setComment] = useState('');
  const [confirming, setConfirming] = useState(false);
  const [queues, setQueues] = useState(false);
  const whenBusy = queues ? 'queue' : 'ask';
  const isOnMany = offer.hindrance === null && offer.count > 1;
  const api = useApi();
  const preview = useQuery(
    api.commands.previewUndo.queryOptions(
      { runId: offer.runId, deviceId: deviceId || null, whenBusy },
      { enabled: isOnMany && offer.allowed, staleTime: 0, gcTime: 0 },
    ),
  );
  const { undo, isPending, error, reset } = useUndo(
    (run) => {
      setConfirming(false);
      onRun(run);
    },
    (refusal) => {
      if (!isBusyRefusal(refusal)) return;
      setConfirming(false);
      onBusy();
    },
  );
  const send = (confirmation: string): void =>
    undo({
      ...{ runId: offer.runId, deviceId: deviceId || null, comment, confirmation },
      ...shownTarget(preview.data),
      whenBusy,
    });
  const changed = changedTargetOf(error);
  return {
    comment,
    setComment,
    confirming,
    queues,
    setQueues,
    error,
    changed,
    preview,
    /** The devices are not known, or are others than those on screen. */
    isUnsettled:
      changed !== null || (isOnMany && (preview.data === undefined || preview.isFetching)),
    reload: () => {
      reset();
      onBusy();
      void preview.refetch();
    },
    busy: isPending,
    reason:
      offer.hindrance !== null
        ? t(`commands.undo.${offer.hindrance}`)
        : offer.allowed
          ? undefined
          : t('app.needsPermission', { permission: offer.missingPermission ?? 'commands:run' }),
    send,
    press: () => {
      reset();
      if (asksFirst(offer.consequence)) setConfirming(true);
      else send('');
    },
    cancel: () => {
      setConfirming(false);
      reset();
    },
  };
}

type UndoState = ReturnType<typeof useUndoState>;

function UndoRefusal({ state }: { readonly state: UndoState }): ReactNode {
  const { error, changed, reload } = state;
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={reload} />;
  if (error === null || isBusyRefusal(error)) return null;
  return <ErrorView error={error} place="alert" />;
}

function UndoneDevices({ state }: { readonly state: UndoState }): ReactNode {
  const { changed, preview, reload } = state;
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={reload} />;
  if (preview.data === undefined || preview.isFetching) return <Spinner />;
  return <ShownDevices preview={preview.data} listId={null} />;
}

const resultHref = (offer: UndoOffer, run: string): string =>
  commandHref(offer.command, { run, document: documentOf(offer) });

function UndoneBy({ offer }: { readonly offer: UndoOffer }): ReactNode {
  const t = useT();
  if (offer.undoneBy.length === 0) return null;
  return (
    <ul className="dp-command-list">
      {offer.undoneBy.map(({ runId, by, at }) => (
        <li key={runId}>
          <PortalLink href={resultHref(offer, runId)}>
            {t('commands.undo.by', { user: by })}
          </PortalLink>{' '}
          <Time at={at} />
        </li>
      ))}
    </ul>
  );
}
