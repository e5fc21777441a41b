import Container from '@cloudscape-design/components/container';
import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import Spinner from '@cloudscape-design/components/spinner';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { CommandForm as Form } from '@deviceportal/contract/commands';
import { useT } from '../../i18n/use-t.ts';
import { LockedDevice } from '../target/locked-device.tsx';
import { ConfirmRun } from './confirm-run.tsx';
import { noTarget, type CommandSearch } from '../catalog/command-search.ts';
import { UseLastValues } from './use-last-values.tsx';
import { DocumentSection } from './document-section.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { FormError } from './form-error.tsx';
import type { FieldValue } from './form-model.ts';
import { OptionsSection } from './options-section.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { ReviewSection } from './review-section.tsx';
import { ChangedTargetAlert } from '../target/changed-target-alert.tsx';
import { RunGuardNotice } from './run-guard-notice.tsx';
import { ShownDevices } from '../target/shown-devices.tsx';
import type { RunOptions } from './run-options.ts';
import type { ScheduleSectionProps } from './schedule-section.tsx';
import { TargetSection } from '../target/target-section.tsx';
import { guardOfTarget, targetLabel, type Target } from '../target/use-target.ts';
import { useFormState, type FormState, type FormStateInput } from './use-form-state.ts';

const ScheduleSection = lazy(async () => ({
  default: (await import('./schedule-section.tsx')).ScheduleSection,
}));

export interface CommandFormProps extends FormStateInput {
  readonly onField: (name: string, value: FieldValue) => void;
  readonly onOptions: (options: RunOptions) => void;
  readonly onSearch: (change: Partial<CommandSearch>) => void;
}

/**
 * The form of a command: target, document, parameters, and options. The review with the run button
 * stays in view next to them, or follows them on a narrow screen.
 */
export function CommandForm(props: CommandFormProps): ReactNode {
  const { form, search, target, options, onOptions, onSearch } = props;
  const state = useFormState(props);
  return (
    <div className="dp-command-form">
      <div className="dp-command-columns">
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
        </SpaceBetween>
        <div className="dp-command-review">
          <SpaceBetween size="l">
            <Review {...props} state={state} />
            <FormError error={state.confirming ? null : state.error} />
          </SpaceBetween>
        </div>
      </div>
      <LaterSection form={form} target={target} requestOf={state.requestOf} />
      <Confirmation {...props} state={state} />
    </div>
  );
}

function Review(props: CommandFormProps & { readonly state: FormState }): ReactNode {
  const { form, search, target, options, state } = props;
  return (
    <ReviewSection
      form={form}
      target={target}
      timeoutSeconds={options.timeoutSeconds}
      busy={state.isPending}
      needsQueueChoice={state.needsQueueChoice}
      hasChanged={state.changed !== null}
      notice={
        <>
          <LockedDevice others={state.others} queues={state.queues} onQueue={state.setQueues} />
          <RunGuardNotice guard={guardOfTarget(target)} airBlastHref={airBlastHref(form, search)} />
        </>
      }
      onRun={state.press}
    />
  );
}

/** A link to the plan of a rollout with the same document and devices. */
function airBlastHref({ documentName, documentVersion }: Form, search: CommandSearch): string {
  const { filter: q, op, targets, all } = search;
  const document = `${documentName ?? ''}:${documentVersion}`;
  const known = { plan: '1', document, q, op, targets, ...(all ? { all: '1' } : {}) };
  return `/air-blast?${new URLSearchParams(known).toString()}`;
}

/** Collapsed at first, and loaded when it is opened. */
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

interface ParametersSectionProps extends CommandFormProps {
  readonly issueOf: (name: string) => string | undefined;
  readonly onLeave: (name: string) => void;
}

function ParametersSection(props: ParametersSectionProps): ReactNode {
  const { form, target } = props;
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
        <ParameterFields
          {...props}
          device={target.kind === 'one' ? target.device.data : undefined}
        />
      )}
    </Container>
  );
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

/** The devices of the run, or their changes if the run was rejected because of them. */
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
