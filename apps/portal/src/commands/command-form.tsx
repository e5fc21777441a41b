import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { CommandForm as Form, RunDetail } from '@deviceportal/contract/commands';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { issueWords } from './constraint-words.ts';
import { asksFirst, ConfirmRun } from './confirm-run.tsx';
import type { CommandSearch } from './command-search.ts';
import { DocumentSection } from './document-section.tsx';
import { useFormat } from '../i18n/format-values.ts';
import {
  fieldIssuesOf,
  inFormOrder,
  issuesByParameter,
  parametersOf,
  type FieldValue,
  type FieldValues,
} from './form-model.ts';
import { OptionsSection } from './options-section.tsx';
import { ParameterField, parameterFieldId } from './parameter-field.tsx';
import { orderParameters, parameterAbout } from './parameter-words.ts';
import { ReviewSection } from './review-section.tsx';
import { isConcurrency, isErrorLimit, type RunOptions } from './run-options.ts';
import { targetErrors, TargetSection } from './target-section.tsx';
import { useRunCommand } from './use-run-command.ts';
import { sentTarget, targetLabel, type Target } from './use-target.ts';

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
        needsSerialNumber={form.needsSerialNumber}
        error={state.error}
        asked={state.asked}
        onDevice={(device) => onSearch({ device, targets: '', filter: '' })}
        onTargetList={(targets) => onSearch({ targets, device: '', filter: '' })}
        onClear={() => onSearch({ device: '', targets: '', filter: '' })}
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
        onRun={state.press}
      />
      <FormError error={state.confirming ? null : state.error} />
      <Confirmation {...props} state={state} />
    </SpaceBetween>
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
  const { run, isPending, error, reset } = useRunCommand((made) => {
    setConfirming(false);
    onRun(made);
  });
  const issues = fieldIssuesOf(form.parameters, fields);
  const refused = error === null ? undefined : issuesByParameter(portalErrorOf(error).issues);
  const send = (confirmation: string): void =>
    run({
      command: form.command,
      // A pinned version stays pinned; else the version that the person has read is the one that runs.
      document: search.document || `${form.documentName ?? ''}:${form.documentVersion}`,
      target: sentTarget(target),
      parameters: parametersOf(form.parameters, fields),
      ...options,
      confirmation,
    });
  const press = (): void => {
    // The shortcut does no more than the button, which waits for the devices to be known.
    const unknownTarget = target.kind !== 'none' && !targetLabel(target);
    if (!form.allowed || unknownTarget || isPending) return;
    setPressed(true);
    const firstWrong = inFormOrder(form.parameters).find(([name]) => issues.has(name))?.[0];
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
    asked,
    error,
    isPending,
    confirming,
    press,
    send,
    cancel: () => {
      setConfirming(false);
      reset();
    },
    touch: (name: string) => setTouched((old) => new Set(old).add(name)),
    issueOf: (name: string): string | undefined => {
      const shown = pressed || touched.has(name) ? issues.get(name) : undefined;
      const issue = shown ?? refused?.get(name);
      return issue === undefined ? undefined : issueWords(issue.message, t);
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
  const { form, fields, onField, issueOf, onLeave } = props;
  const t = useT();
  const names = Object.keys(form.parameters);
  return (
    <Container header={<Header variant="h2">{t('commands.form.parameters')}</Header>}>
      {names.length === 0 ? (
        <Box color="text-body-secondary">{t('commands.form.noParameters')}</Box>
      ) : (
        <SpaceBetween size="m">
          {orderParameters(form.documentName, inFormOrder(form.parameters)).map(
            ([name, parameter]) => (
              <ParameterField
                key={name}
                name={name}
                parameter={parameter}
                about={parameterAbout(form.documentName, [name, parameter], t)}
                value={fields[name] ?? ''}
                secret={form.secretParameters.includes(name)}
                error={issueOf(name)}
                onChange={(value) => onField(name, value)}
                onLeave={() => onLeave(name)}
              />
            ),
          )}
        </SpaceBetween>
      )}
    </Container>
  );
}

/** What the last press was refused with, unless it stands at the devices or at the fields already. */
function FormError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null || error === undefined) return null;
  const { name, issues } = portalErrorOf(error);
  if (targetErrors.has(name)) return null;
  if (name === 'invalidParameters' && issues.length > 0) {
    const other = issues.filter((issue) => issue.path[0] !== 'parameters' || issue.path.length < 2);
    if (other.length === 0)
      return <Alert type="error">{t('shell.error.invalidParameters.body')}</Alert>;
    return (
      <Alert type="error" header={t('shell.error.invalidParameters.title')}>
        <ul className="dp-command-list">
          {other.map((issue) => (
            <li key={issue.path.join('.')}>
              {issue.path.join('.')}: {issueWords(issue.message, t)}
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
      busy={state.isPending}
      error={state.error}
      onConfirm={state.send}
      onCancel={state.cancel}
    />
  );
}
