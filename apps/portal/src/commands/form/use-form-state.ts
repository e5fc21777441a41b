import { useState } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import type { RunDetail } from '@deviceportal/contract/runs';
import type { CommandSearch } from '../catalog/command-search.ts';
import { isChangeLockRefusal } from '../target/change-lock-refusal.ts';
import { changedTargetOf } from '../target/changed-target.ts';
import { useChangeLocks } from '../target/use-change-locks.ts';
import {
  guardOfTarget,
  sentTarget,
  shownTarget,
  targetLabel,
  type Target,
} from '../target/use-target.ts';
import { needsConfirmation } from './confirm-run.tsx';
import { parametersOf, type FieldValues } from './form-model.ts';
import { parameterFieldId } from './parameter-field.tsx';
import { isConcurrency, isErrorLimit, type RunOptions } from './run-options.ts';
import { useFieldIssues } from './use-field-issues.ts';
import { useRunCommand } from './use-run-command.ts';
import { useRunShortcut } from './use-run-shortcut.ts';

export interface FormStateInput {
  readonly form: CommandForm;
  readonly search: CommandSearch;
  readonly target: Target;
  readonly fields: FieldValues;
  readonly options: RunOptions;
  readonly onRun: (run: RunDetail) => void;
}

export type FormState = ReturnType<typeof useFormState>;

/** The state of the form: whether it can be sent, its confirmation, and its error. */
export function useFormState(input: FormStateInput) {
  const { form, fields, target, options, onRun } = input;
  const [confirming, setConfirming] = useState(false);
  const [asked, setAsked] = useState(0);
  const [queues, setQueues] = useState(false);
  const others = useChangeLocks(form, target);
  const needsQueueChoice = others.locks.length > 0 && !queues;
  const { run, isPending, error, reset } = useRunCommand(
    (made) => {
      setConfirming(false);
      onRun(made);
    },
    (refusal) => {
      if (isChangeLockRefusal(refusal)) {
        setConfirming(false);
        others.refetch();
      }
    },
  );
  const changed = changedTargetOf(error);
  const isRecounting = target.kind === 'many' && target.preview.isFetching;
  const { hasIssues, firstWrong, showAll, touch, issueOf } = useFieldIssues(form, fields, error);
  const request = requestOf(input);
  const send = (confirmation: string): void =>
    run({
      ...request,
      ...shownTarget(target.kind === 'many' ? target.preview.data : undefined),
      whenLocked: queues ? 'queue' : 'ask',
      confirmation,
    });
  const hasValidLimits = isConcurrency(options.maxConcurrency) && isErrorLimit(options.maxErrors);
  const press = (): void => {
    // The shortcut works only when the button does, which requires a resolved target.
    const unknownTarget = target.kind !== 'none' && !targetLabel(target);
    const runs = form.allowed && form.documentState === 'active';
    const isUnsettled =
      needsQueueChoice || changed !== null || isRecounting || guardOfTarget(target) === 'air-blast';
    if (!runs || unknownTarget || isUnsettled || isPending) return;
    showAll();
    if (target.kind === 'none') {
      setAsked((count) => count + 1);
      send('');
    } else if (firstWrong !== undefined) {
      document.querySelector<HTMLElement>(`#${parameterFieldId(firstWrong)}`)?.focus();
    } else if (!hasValidLimits) {
      return;
    } else if (needsConfirmation(form.consequence)) {
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
    needsQueueChoice,
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
    requestOf: () => (hasIssues || !hasValidLimits || request.target === null ? null : request),
    cancel: () => {
      setConfirming(false);
      reset();
    },
    touch,
    issueOf,
  };
}

function requestOf({ form, fields, target, options, search }: FormStateInput) {
  return {
    command: form.command,
    // A pinned version is kept. Otherwise, the version on screen runs.
    document: search.document || `${form.documentName ?? ''}:${form.documentVersion}`,
    target: sentTarget(target),
    parameters: parametersOf(form.parameters, fields),
    ...options,
  };
}
