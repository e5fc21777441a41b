import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import {
  airBlastState,
  airBlastStepState,
  caseOutcome,
  casePriority,
  caseState,
  connectivity,
  dataSourceState,
  deviceLifecycle,
  documentState,
  accessGrantState,
  instanceState,
  invocationState,
  reportState,
  runState,
  scheduleState,
  softwareVersionState,
  statusDetails,
  stepState,
  tavState,
  userStatus,
  type StateEntry,
} from '@deviceportal/contract/states';
import { useLanguage } from '../i18n/language-store.ts';
import type { Language } from '../i18n/languages.ts';

const stateTables = {
  deviceLifecycle,
  connectivity,
  invocation: invocationState,
  run: runState,
  schedule: scheduleState,
  statusDetails,
  step: stepState,
  document: documentState,
  softwareVersion: softwareVersionState,
  instance: instanceState,
  tavState,
  user: userStatus,
  airBlast: airBlastState,
  airBlastStep: airBlastStepState,
  report: reportState,
  case: caseState,
  caseOutcome,
  casePriority,
  accessGrant: accessGrantState,
  dataSource: dataSourceState,
} as const;
export type StateKind = keyof typeof stateTables;

export interface StatusOfProps<Kind extends StateKind> {
  readonly kind: Kind;
  readonly value: Extract<keyof (typeof stateTables)[Kind], string>;
  /** Text after the state, such as the exit code. */
  readonly detail?: ReactNode;
}

function entryOf(kind: StateKind, value: string): StateEntry | undefined {
  return (stateTables[kind] as Readonly<Record<string, StateEntry>>)[value];
}

/** The text of a state, for filters, exports, and titles. */
export function wordOf(kind: StateKind, value: string, language: Language): string {
  return entryOf(kind, value)?.[language] ?? value;
}

/** A state as icon and text, from the shared table of states. */
export function StatusOf<Kind extends StateKind>({
  kind,
  value,
  detail,
}: StatusOfProps<Kind>): ReactNode {
  const language = useLanguage();
  const entry = entryOf(kind, value);
  return (
    <StatusIndicator type={entry?.icon ?? 'info'}>
      {entry?.[language] ?? value}
      {detail === undefined ? null : <> {detail}</>}
    </StatusIndicator>
  );
}
