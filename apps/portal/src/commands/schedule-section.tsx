import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { MissedRule } from '@deviceportal/contract/schedules';
import { useApi, type ApiInputs } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { useFlash } from '../shell/flash-store.ts';
import { navigateTo } from '../shell/navigate-to.ts';
import { asksFirst, ConfirmRun } from './confirm-run.tsx';
import { initialTimes, ScheduleTimesFields, timesOf } from './schedule-times-fields.tsx';
import { targetLabel, type Target } from './use-target.ts';

type Request = Omit<ApiInputs['commands']['run'], 'idempotencyKey' | 'confirmation'>;

export interface ScheduleSectionProps {
  readonly form: CommandForm;
  readonly target: Target;
  /** What would run; null while the form cannot be sent. */
  readonly requestOf: () => Request | null;
}

/** The same command later, once or again and again. */
export function ScheduleSection(props: ScheduleSectionProps): ReactNode {
  const { form, target } = props;
  const t = useT();
  const state = useScheduleState(props);
  const label = targetLabel(target);
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
        {state.error === null || state.confirming ? null : (
          <ErrorView error={state.error} place="alert" />
        )}
        <Button
          onClick={state.press}
          loading={state.isPending}
          disabled={hindered || state.request === null}
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
          busy={state.isPending}
          error={state.error}
          onConfirm={state.send}
          onCancel={state.cancel}
        />
      ) : null}
    </Container>
  );
}

function useScheduleState({ form, requestOf }: ScheduleSectionProps) {
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
  const request =
    run === null || sent === null || name.trim() === ''
      ? null
      : { ...run, id, name, times: sent, missed, freeze };
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
    send,
    error: create.error,
    isPending: create.isPending,
    press: () => {
      create.reset();
      if (asksFirst(form.consequence)) setConfirming(true);
      else send('');
    },
    cancel: () => {
      setConfirming(false);
      create.reset();
    },
  };
}

function useCreate(onCreated: () => void) {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  return useMutation(
    api.schedules.create.mutationOptions({
      onSuccess: ({ name }) => {
        void queryClient.invalidateQueries(api.schedules.pathFilter());
        flash.add({
          type: 'success',
          content: t('commands.schedule.created', { name }),
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
