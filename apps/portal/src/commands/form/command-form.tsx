import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import Spinner from '@cloudscape-design/components/spinner';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { CommandForm as Form } from '@deviceportal/contract/commands';
import type { RunDetail } from '@deviceportal/contract/runs';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { BusyDevice } from '../target/busy-device.tsx';
import { isBusyRefusal } from '../target/busy-refusal.ts';
import { issueText } from '../../ui/refusals/issue-text.ts';
import { asksFirst, ConfirmRun } from './confirm-run.tsx';
import { noTarget, type CommandSearch } from '../catalog/command-search.ts';
import { UseLastValues } from './use-last-values.tsx';
import { DocumentSection } from './document-section.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import {
  fieldIssuesOf,
  issuesByParameter,
  parametersOf,
  type FieldValue,
  type FieldValues,
} from './form-model.ts';
import { notRunnableWordsOf } from './not-runnable-words.ts';
import { OptionsSection } from './options-section.tsx';
import { parameterFieldId } from './parameter-field.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { ReviewSection } from './review-section.tsx';
import { ChangedTargetAlert } from '../target/changed-target-alert.tsx';
import { RunGuardNotice } from './run-guard-notice.tsx';
import { ShownDevices } from '../target/shown-devices.tsx';
import { isConcurrency, isErrorLimit, type RunOptions } from './run-options.ts';
import type { ScheduleSectionProps } from './schedule-section.tsx';
import { targetErrors, TargetSection } from '../target/target-section.tsx';
import { useLeases } from '../target/use-leases.ts';
import { useRunCommand } from './use-run-command.ts';
import { changedTargetOf } from '../target/changed-target.ts';
import {
  guardOfTarget,
  sentTarget,
  shownTarget,
  targetLabel,
  type Target,
} from '../target/use-target.ts';

const ScheduleSection = lazy(async () => ({
  default: (await import('./schedule-section.tsx')).ScheduleSection,
}));

export interface CommandFormProps {
  readonly form: Form;
  readonly search: CommandSearch;
  readonly target: Target;
  readonly fields: FieldValues;
  readonly options: RunOptions;
  readonly onField: (name: string, value: FieldValue) => void;
  readonly onOptions: (options: RunOptions) => void;
  readonly onSearch: (change: Partial<CommandSearch>) => void;
  readonly onRun: (run: RunDetail) => void;
}

/** Target, document, parameters, options, review and run on one page. */
export function CommandForm(props: CommandFormProps): ReactNode {
  const { form, search, target, options, onOptions, onSearch } = props;
  const state = useFormState(props);
  return (
    <SpaceBetween size="l">
      <TargetSection
        target={target}
        command={form.command}
        document={search.document}
        error={state.confirming ? null : state.error}
        onReload={state.reload}
        asked={state.asked}
        onDevice={(device) => onSearch({ ...noTarget, device })}
        onTargetList={(targets) => onSearch({ ...noTarget, targets })}
        onClear={() => onSearch(noTarget)}
      />
      <DocumentSection
        form={form}
        pinned={search.document}
        onDocument={(document) => onSearch({ document })}
      />
      <ParametersSection {...props} issueOf={state.issueOf} onLeave={state.touch} />
      <OptionsSection options={options} many={target.kind === 'many'} onChange={onOptions} />
      <ReviewSection
        form={form}
        target={target}
        timeoutSeconds={options.timeoutSeconds}
        busy={state.isPending}
        waitsForAnswer={state.waitsForAnswer}
        hasChanged={state.changed !== null}
        notice={
          <>
            <BusyDevice others={state.others} queues={state.queues} onQueue={state.setQueues} />
            <RunGuardNotice
              guard={guardOfTarget(target)}
              airBlastHref={airBlastHref(form, search)}
            />
          </>
        }
        onRun={state.press}
      />
      <LaterSection form={form} target={target} requestOf={state.requestOf} />
      <FormError error={state.confirming ? null : state.error} />
      <Confirmation {...props} state={state} />
    </SpaceBetween>
  );
}

/** Where a rollout of the same document on the same devices is planned. */
function airBlastHref({ documentName, documentVersion }: Form, search: CommandSearch): string {
  const { filter: q, op, targets, all } = search;
  const document = `${documentName ?? ''}:${documentVersion}`;
  const known = { plan: '1', document, q, op, targets, ...(all ? { all: '1' } : {}) };
  return `/air-blast?${new URLSearchParams(known).toString()}`;
}

/** Closed for whom runs it now; nothing of it is loaded before it is opened. */
function LaterSection(props: ScheduleSectionProps): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <ExpandableSection
      headerText={t('commands.schedule.later')}
      expanded={open}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {open ? (
        <Suspense fallback={<Spinner />}>
          <ScheduleSection {...props} />
        </Suspense>
      ) : null}
    </ExpandableSection>
  );
}

type FormState = ReturnType<typeof useFormState>;

function useFormState(props: CommandFormProps) {
  const { form, fields, target, options, search, onRun } = props;
  const t = useT();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [pressed, setPressed] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [asked, setAsked] = useState(0);
  const [queues, setQueues] = useState(false);
  const others = useLeases(form, target);
  const waitsForAnswer = others.leases.length > 0 && !queues;
  const { run, isPending, error, reset } = useRunCommand(
    (made) => {
      setConfirming(false);
      onRun(made);
    },
    (refusal) => {
      if (isBusyRefusal(refusal)) {
        setConfirming(false);
        others.refetch();
      }
    },
  );
  const changed = changedTargetOf(error);
  const isRecounting = target.kind === 'many' && target.preview.isFetching;
  const issues = fieldIssuesOf(form.parameters, fields);
  const refused = error === null ? undefined : issuesByParameter(portalErrorOf(error).issues);
  const request = {
    command: form.command,
    // A pinned version stays pinned; else the version that the person has read is the one that runs.
    document: search.document || `${form.documentName ?? ''}:${form.documentVersion}`,
    target: sentTarget(target),
    parameters: parametersOf(form.parameters, fields),
    ...options,
  };
  const send = (confirmation: string): void =>
    run({
      ...request,
      ...shownTarget(target.kind === 'many' ? target.preview.data : undefined),
      whenBusy: queues ? 'queue' : 'ask',
      confirmation,
    });
  const isSendable =
    issues.size === 0 &&
    isConcurrency(options.maxConcurrency) &&
    isErrorLimit(options.maxErrors) &&
    request.target !== null;
  const press = (): void => {
    // The shortcut does no more than the button, which waits for the devices to be known.
    const unknownTarget = target.kind !== 'none' && !targetLabel(target);
    const runs = form.allowed && form.documentState === 'active';
    const isUnsettled =
      waitsForAnswer || changed !== null || isRecounting || guardOfTarget(target) === 'air-blast';
    if (!runs || unknownTarget || isUnsettled || isPending) return;
    setPressed(true);
    const firstWrong = Object.keys(form.parameters).find((name) => issues.has(name));
    if (target.kind === 'none') {
      setAsked((count) => count + 1);
      send('');
    } else if (firstWrong !== undefined) {
      document.querySelector<HTMLElement>(`#${parameterFieldId(firstWrong)}`)?.focus();
    } else if (!isConcurrency(options.maxConcurrency) || !isErrorLimit(options.maxErrors)) {
      return;
    } else if (asksFirst(form.consequence)) {
      reset();
      setConfirming(true);
    } else {
      send('');
    }
  };
  useRunShortcut(press, !confirming);
  return {
    others,
    queues,
    setQueues,
    waitsForAnswer,
    asked,
    error,
    changed,
    isRecounting,
    isPending,
    confirming,
    reload: () => {
      reset();
      if (target.kind === 'many') void target.preview.refetch();
    },
    press,
    send,
    requestOf: () => (isSendable ? request : null),
    cancel: () => {
      setConfirming(false);
      reset();
    },
    touch: (name: string) => setTouched((old) => new Set(old).add(name)),
    issueOf: (name: string): string | undefined => {
      const shown = pressed || touched.has(name) ? issues.get(name) : undefined;
      const issue = shown ?? refused?.get(name);
      return issue === undefined ? undefined : issueText(issue, t);
    },
  };
}

/** `Ctrl+Enter`, also from inside a field. */
function useRunShortcut(press: () => void, active: boolean): void {
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    if (!active) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active]);
}

interface ParametersSectionProps extends CommandFormProps {
  readonly issueOf: (name: string) => string | undefined;
  readonly onLeave: (name: string) => void;
}

function ParametersSection(props: ParametersSectionProps): ReactNode {
  const { form } = props;
  const t = useT();
  const names = Object.keys(form.parameters);
  return (
    <Container
      header={
        <Header variant="h2" actions={<UseLastValues {...props} />}>
          {t('commands.form.parameters')}
        </Header>
      }
    >
      {names.length === 0 ? (
        <Box color="text-body-secondary">{t('commands.form.noParameters')}</Box>
      ) : (
        <ParameterFields {...props} />
      )}
    </Container>
  );
}

/** What the last press was refused with, unless it stands at the devices or at the fields already. */
function FormError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null || error === undefined) return null;
  const { name, reason, issues } = portalErrorOf(error);
  if (targetErrors.has(name) || changedTargetOf(error) !== null) return null;
  if (isBusyRefusal(error)) return <Alert type="warning">{t('commands.busy.refused')}</Alert>;
  const refused = notRunnableWordsOf(error, t);
  if (refused !== null) {
    return (
      <Alert type="error" header={refused.header}>
        {refused.content}
      </Alert>
    );
  }
  if (reason === 'input-invalid' && issues.length > 0) {
    const other = issues.filter((issue) => issue.path[0] !== 'parameters' || issue.path.length < 2);
    if (other.length === 0)
      return <Alert type="error">{t('app.error.invalidParameters.body')}</Alert>;
    return (
      <Alert type="error" header={t('app.error.invalidParameters.title')}>
        <ul className="dp-command-list">
          {other.map((issue) => (
            <li key={issue.path.join('.')}>
              {issue.path.join('.')}: {issueText(issue, t)}
            </li>
          ))}
        </ul>
      </Alert>
    );
  }
  return <ErrorView error={error} place="alert" />;
}

function Confirmation({
  form,
  target,
  state,
}: CommandFormProps & { readonly state: FormState }): ReactNode {
  const format = useFormat();
  const label = targetLabel(target);
  if (!state.confirming || label === null) return null;
  return (
    <ConfirmRun
      command={form.command}
      consequence={form.consequence}
      target={label}
      duration={form.typicalDurationMs === null ? null : format.duration(form.typicalDurationMs)}
      devices={target.kind === 'many' ? <ConfirmedDevices target={target} state={state} /> : null}
      guard={guardOfTarget(target)}
      disabled={state.changed !== null || state.isRecounting}
      busy={state.isPending}
      error={state.changed === null ? state.error : null}
      onConfirm={state.send}
      onCancel={state.cancel}
    />
  );
}

/** The devices that the press reaches; what has become of them, where the press was refused for that. */
function ConfirmedDevices({
  target,
  state,
}: {
  readonly target: Extract<Target, { kind: 'many' }>;
  readonly state: FormState;
}): ReactNode {
  if (state.changed !== null)
    return <ChangedTargetAlert changed={state.changed} onReload={state.reload} />;
  const { data } = target.preview;
  if (data === undefined || state.isRecounting) return <Spinner />;
  return <ShownDevices preview={data} listId={target.filter.targetListId} />;
}
