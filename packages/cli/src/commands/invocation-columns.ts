import type { OperationOutput } from '@deviceportal/contract/public-api';
import { plainLine } from '../output/plain-text.ts';
import type { TableColumn } from '../output/format-table.ts';
import { stateLabel } from '../output/state-label.ts';

export type Invocation = OperationOutput<'listRunInvocations'>['items'][number];

export const invocationColumns: readonly TableColumn<Invocation>[] = [
  { title: 'device', value: ({ device }) => device.serialNumber ?? device.name },
  { title: 'command', value: ({ command }) => command },
  { title: 'status', value: (invocation) => stateLabel(invocation.statusDetails) },
  { title: 'exit code', value: ({ exitCode }) => exitCode },
  { title: 'ended', value: ({ endedAt }) => endedAt },
  { title: 'run', value: ({ runId }) => runId },
  { title: 'output', value: ({ outputPreview }) => plainLine(outputPreview) },
];
