import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { RunGuard } from '@deviceportal/contract/run-rules';
import { defaultMaxDevices, type MissedRule } from '@deviceportal/contract/schedules';
import { GrantEndNote } from '../../access/users/grant-end-note.tsx';
import { useApi, type ApiInputs } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { ChangedTargetAlert } from '../target/changed-target-alert.tsx';
import { changedTargetOf } from '../target/changed-target.ts';
import { needsConfirmation, ConfirmRun } from './confirm-run.tsx';
import { initialTimes, ScheduleTimesFields, timesOf } from './schedule-times-fields.tsx';
import { RunGuardNotice } from './run-guard-notice.tsx';
import { ShownDevices } from '../target/shown-devices.tsx';
import { sentTarget, shownTarget, targetLabel, type Target } from '../target/use-target.ts';

type Request = Omit<
  ApiInputs['commands']['run'],
  'idempotencyKey' | 'confirmation' | 'targetSha256' | 'targetCount' | 'whenLocked'
>;

export interface ScheduleSectionProps {
  readonly form: CommandForm;
  readonly target: Target;
  /** The run to schedule. Null while the form cannot be sent. */
  readonly requestOf: () => Request | null;
}

/** Schedules the command for later, once or repeatedly. */
export function ScheduleSection(props: ScheduleSectionProps): ReactNode {
  const { form, target } = props;
  const t = useT();
  const state = useScheduleState(props);
  const label = state.preview.data?.count ?? targetLabel(target);
  const hindered = !form.allowed || form.documentState !== 'active' || label === null;
  return (
    <Container header={<Header variant="h2">{t('commands.schedule.title')}</Header>}>
      <SpaceBetween size="m">
        <FormField label={t('commands.schedule.name')}>
          <Input value={state.name} onChange={({ detail }) => state.setName(detail.value)} />
        </FormField>
        <ScheduleTimesFields value={state.times} onChange={state.setTimes} />
        <FormField
          label={t('commands.schedule.missed')}
          description={t('commands.schedule.missedHint')}
        >
          <RadioGroup
            value={state.missed}
            onChange={({ detail }) => state.setMissed(detail.value as MissedRule)}
            items={[
              { value: 'skip', label: t('commands.schedule.missed.skip') },
              { value: 'run-late', label: t('commands.schedule.missed.run-late') },
            ]}
          />
        </FormField>
        <Checkbox
          checked={state.freeze}
          disabled={form.consequence === 'destroys'}
          description={t('commands.schedule.freezeHint')}
          onChange={({ detail }) => state.setFreeze(detail.checked)}
        >
          {t('commands.schedule.freeze')}
        </Checkbox>
        {target.kind === 'many' && !state.freeze ? <MaxDevices state={state} /> : null}
        <ScheduleGuard guard={state.preview.data?.guard ?? 'none'} />
        {state.confirming ? null : <Refusal state={state} />}
        <Button
          onClick={state.press}
          loading={state.isPending}
          disabled={
            hindered ||
            state.request === null ||
            state.isUnsettled ||
            state.preview.data?.guard === 'air-blast'
          }
          disabledReason={t('commands.schedule.incomplete')}
        >
          {t('commands.schedule.create')}
        </Button>
      </SpaceBetween>
      {state.confirming && label !== null ? (
        <ConfirmRun
          command={form.command}
          consequence={form.consequence}
          target={label}
          duration={null}
          devices={<ScheduledDevices state={state} />}
          disabled={state.isUnsettled}
          busy={state.isPending}
          error={state.changed === null ? state.error : null}
          onConfirm={state.send}
          onCancel={state.cancel}
        />
      ) : null}
    </Container>
  );
}

function useScheduleState({ form, target, requestOf }: ScheduleSectionProps) {
  const [id, setId] = useState(() => crypto.randomUUID());
  const [name, setName] = useState(form.command);
  const [times, setTimes] = useState(initialTimes);
  const [missed, setMissed] = useState<MissedRule>('skip');
  const [freeze, setFreeze] = useState(form.consequence === 'destroys');
  const [confirming, setConfirming] = useState(false);
  const create = useCreate(() => {
    setConfirming(false);
    setId(crypto.randomUUID());
  });
  const sent = timesOf(times);
  const run = requestOf();
  const preview = useScheduledTarget(run, target);
  const [typedLimit, setTypedLimit] = useState<string | null>(null);
  const limit = typedLimit ?? String(defaultMaxDevices(preview.data?.count ?? 0));
  const isOnMany = target.kind === 'many';
  const lowLimit = isOnMany && !freeze && !(Number(limit) >= (preview.data?.count ?? 1));
  const request =
    run === null || sent === null || name.trim() === '' || lowLimit
      ? null
      : {
          ...{ ...run, id, name, times: sent, missed, freeze, ...shownTarget(preview.data) },
          maxDevices: isOnMany && !freeze ? Number(limit) : null,
        };
  const changed = changedTargetOf(create.error);
  const send = (confirmation: string): void => {
    if (request !== null) create.mutate({ ...request, confirmation });
  };
  return {
    name,
    setName,
    times,
    setTimes,
    missed,
    setMissed,
    freeze,
    setFreeze,
    confirming,
    request,
    preview,
    limit,
    setLimit: setTypedLimit,
    lowLimit,
    changed,
    /** The devices are not known yet, or differ from those shown. */
    isUnsettled:
      changed !== null || (isOnMany && (preview.data === undefined || preview.isFetching)),
    reload: () => {
      create.reset();
      void preview.refetch();
    },
    send,
    error: create.error,
    isPending: create.isPending,
    press: () => {
      create.reset();
      if (needsConfirmation(form.consequence)) setConfirming(true);
      else send('');
    },
    cancel: () => {
      setConfirming(false);
      create.reset();
    },
  };
}

type ScheduleState = ReturnType<typeof useScheduleState>;

/** Ignores current change locks, because they say nothing about the scheduled times. */
function useScheduledTarget(run: Request | null, target: Target) {
  const api = useApi();
  const { command = '', document = '' } = run ?? {};
  return useQuery(
    api.commands.previewTarget.queryOptions(
      { command, document, target: sentTarget(target) ?? noDevices, whenLocked: 'queue' },
      { enabled: run !== null && target.kind === 'many', staleTime: 30_000 },
    ),
  );
}

const noDevices = { kind: 'devices' as const, deviceIds: [] };

function MaxDevices({ state }: { readonly state: ScheduleState }): ReactNode {
  const t = useT();
  const { preview, limit, lowLimit } = state;
  const count = preview.data?.count ?? 0;
  return (
    <FormField
      label={t('commands.schedule.maxDevices')}
      description={t('commands.schedule.maxDevicesHint', { count })}
      errorText={lowLimit ? t('commands.schedule.maxDevicesLow', { count }) : undefined}
    >
      <Input
        type="number"
        inputMode="numeric"
        value={limit}
        onChange={({ detail }) => state.setLimit(detail.value)}
      />
    </FormField>
  );
}

/** States that each scheduled run has the same requirement as a run now. */
function ScheduleGuard({ guard }: { readonly guard: RunGuard }): ReactNode {
  const t = useT();
  if (guard === 'second-person') return <Alert type="info">{t('commands.guard.schedule')}</Alert>;
  return <RunGuardNotice guard={guard} />;
}

function Refusal({ state }: { readonly state: ScheduleState }): ReactNode {
  const { changed, error, reload } = state;
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={reload} />;
  return error === null ? null : <ErrorView error={error} place="alert" />;
}

function ScheduledDevices({ state }: { readonly state: ScheduleState }): ReactNode {
  const { changed, preview, reload } = state;
  if (changed !== null) return <ChangedTargetAlert changed={changed} onReload={reload} />;
  if (preview.isFetching) return <Spinner />;
  return preview.data === undefined ? null : <ShownDevices preview={preview.data} listId={null} />;
}

function useCreate(onCreated: () => void) {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  return useMutation(
    api.schedules.create.mutationOptions({
      onSuccess: ({ bond, name }) => {
        void queryClient.invalidateQueries(api.schedules.pathFilter());
        flash.add({
          type: 'success',
          content: (
            <>
              {t('commands.schedule.created', { name })}
              <GrantEndNote bond={bond} />
            </>
          ),
          action: (
            <Button onClick={() => navigateTo('/commands')}>{t('commands.schedule.list')}</Button>
          ),
          dismissible: true,
        });
        onCreated();
      },
    }),
  );
}
