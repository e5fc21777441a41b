import type { InvocationDetail } from '@deviceportal/contract/invocations';
import type { RunDetail } from '@deviceportal/contract/runs';
import { lastLines } from './last-lines.ts';

const SHOWN_LINES = 20;

export interface ResultPage {
  readonly url: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A result as text for a ticket. Times are UTC, and states are not translated. */
export function describeInvocation(invocation: InvocationDetail, page: ResultPage): string {
  const exit = invocation.responseCode === null ? '' : ` (exit ${invocation.responseCode})`;
  return [
    `Command:    ${invocation.command}`,
    `Document:   ${invocation.documentName}:${invocation.documentVersion}`,
    `Device:     ${invocation.serialNumber ?? '-'} (${invocation.deviceName})`,
    `Result:     ${invocation.statusDetails}${exit}`,
    `Run by:     ${invocation.createdBy}`,
    `Queued:     ${invocation.queuedAt}`,
    `Started:    ${invocation.startedAt ?? '-'}`,
    `Ended:      ${invocation.endedAt ?? '-'}`,
    ...parameterLines(invocation.parameters),
    ...commentLine(invocation.comment),
    ...invocation.steps.map(
      (step) =>
        `Step ${step.index + 1}:     ${step.phase === 'main' ? '' : `[${step.phase}] `}${step.name} ${step.state}${step.exitCode === null ? '' : ` (exit ${step.exitCode})`}`,
    ),
    ...outputLines('Output', page.stdout),
    ...outputLines('Errors', page.stderr),
    `Reference:  ${invocation.id}`,
    `Link:       ${page.url}`,
  ].join('\n');
}

export function describeRun(run: RunDetail, page: { readonly url: string }): string {
  const { counters } = run;
  return [
    `Command:    ${run.command}`,
    `Document:   ${run.documentName}:${run.documentVersion}`,
    `Devices:    ${counters.target}`,
    `Result:     ${run.statusDetails}`,
    `Counts:     ${counters.success} succeeded, ${counters.failed} failed, ${counters.timedOut} timed out, ${counters.cancelled} cancelled, ${counters.inProgress} running, ${counters.pending} queued`,
    `Run by:     ${run.createdBy}`,
    `Created:    ${run.createdAt}`,
    `Ended:      ${run.endedAt ?? '-'}`,
    ...parameterLines(run.parameters),
    ...commentLine(run.comment),
    `Reference:  ${run.id}`,
    `Link:       ${page.url}`,
  ].join('\n');
}

function parameterLines(parameters: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return [];
  const text = entries.map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`Parameters: ${text.join(', ')}`];
}

const commentLine = (comment: string): string[] =>
  comment === '' ? [] : [`Comment:    ${comment}`];

function outputLines(title: string, text: string): string[] {
  if (text.trim() === '') return [];
  return [`${title} (last ${SHOWN_LINES} lines):`, lastLines(text, SHOWN_LINES)];
}
