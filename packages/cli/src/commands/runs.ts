import { randomUUID } from 'node:crypto';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import { listItems } from '../api/list-items.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { TableColumn } from '../output/format-table.ts';
import type { Printer } from '../output/printer.ts';
import { stateLabel } from '../output/state-label.ts';
import type { Session } from '../session.ts';
import { findDevice } from './devices.ts';
import { invocationColumns } from './invocation-columns.ts';
import { readParameters } from './read-parameters.ts';
import { outcomeOf, waitForRun, type Run } from './wait-for-run.ts';

/** The command of the catalog that runs any document. */
const ANY_DOCUMENT = 'document';
/** Of an ID or a serial number. */
const MOST_LETTERS = 64;

export interface RunOptions {
  readonly device: readonly string[];
  readonly parameter?: readonly string[];
  readonly parameterFile?: string;
  readonly reason: string;
  readonly case?: string;
  readonly timeout?: number;
  readonly maxConcurrency?: string;
  readonly maxErrors?: string;
  readonly skipUnavailable?: boolean;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
  readonly waitSeconds?: number;
}

/** Runs a command of the catalog, or any document, on devices. */
export async function runCommand(
  session: Session,
  named: string,
  options: RunOptions,
): Promise<ExitCode> {
  const api = await session.api();
  const { command, document } = await commandOf(api, named);
  const parameters = await readParameters(api, session.context, {
    given: { pairs: options.parameter ?? [], file: options.parameterFile },
    document: document.type,
  });
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  const start = (devices: readonly string[]): Promise<Run> =>
    api.call('createRun', {
      body: {
        ...{ command, document: document.sent, devices: [...devices], parameters },
        ...{ reason: options.reason, skipUnavailable: options.skipUnavailable ?? false },
        ...(options.case !== undefined && { caseId: options.case }),
        ...(options.timeout !== undefined && { timeoutSeconds: options.timeout }),
        ...(options.maxConcurrency !== undefined && { maxConcurrency: options.maxConcurrency }),
        ...(options.maxErrors !== undefined && { maxErrors: options.maxErrors }),
      },
      idempotencyKey,
    });
  const made = await startByName(api, options.device, start);
  if (options.wait !== true) {
    printRun(session.printer, made);
    return exitCodes.ok;
  }
  session.printer.note(`Run ${made.id} started.`);
  return watchRun(session, made.id, options);
}

/** The document of a run, and the one that declares its parameters. */
interface ChosenCommand {
  readonly command: string;
  readonly document: { readonly sent: string; readonly type: string | null };
}

async function commandOf(api: ApiClient, named: string): Promise<ChosenCommand> {
  const { items } = await api.call('listCommands');
  const known = items.find(({ command }) => command === named);
  return known === undefined
    ? { command: ANY_DOCUMENT, document: { sent: named, type: named } }
    : { command: named, document: { sent: '', type: known.document } };
}

/** The API knows IDs and serial numbers. Names are looked up only if it does not find the devices. */
async function startByName(
  api: ApiClient,
  devices: readonly string[],
  start: (devices: readonly string[]) => Promise<Run>,
): Promise<Run> {
  try {
    return await start(devices);
  } catch (error) {
    // With a key of an earlier run by names, only the request with the IDs is the same.
    const isByName =
      error instanceof CliError &&
      (error.exitCode === exitCodes.notFound ||
        error.reason === 'idempotency-key-reused' ||
        devices.some(({ length }) => length > MOST_LETTERS));
    if (!isByName) throw error;
  }
  const ids: string[] = [];
  for (const device of devices) ids.push((await findDevice(api, device)).id);
  return start(ids);
}

/** Waits until a run has ended, and prints its results. */
export async function watchRun(
  session: Session,
  id: string,
  { waitSeconds }: { readonly waitSeconds?: number },
): Promise<ExitCode> {
  const { printer } = session;
  const api = await session.api();
  const run = await waitForRun(api, id, {
    waitSeconds,
    onChange: (changed) => printer.progress(progressOf(changed)),
  });
  if (printer.isJson) printer.json(run);
  else await printResults(api, printer, id);
  if (!printer.isJson && run !== undefined) {
    printer.note(`Run ${id}: ${stateLabel(run.statusDetails)}`);
  }
  return outcomeOf(run);
}

const progressOf = ({ state, devices }: Run): string =>
  `${stateLabel(state)}: ${devices.succeeded} succeeded, ${devices.failed} failed, ${devices.timedOut} timed out, ` +
  `${devices.canceled} canceled, ${devices.inProgress} running, ${devices.pending} queued of ${devices.total}`;

async function printResults(api: ApiClient, printer: Printer, run: string): Promise<void> {
  const results = listItems((page) =>
    api.call('listRunInvocations', { params: { run }, query: page }),
  );
  await printer.list(results, invocationColumns, 'The run has no devices.');
}

function printRun(printer: Printer, run: Run): void {
  if (printer.isJson) {
    printer.json(run);
    return;
  }
  const { devices } = run;
  printer.facts({
    Run: run.id,
    Command: run.command,
    Document: `${run.document}:${run.documentVersion}`,
    Status: stateLabel(run.statusDetails),
    Devices: devices.total,
    Succeeded: devices.succeeded,
    Failed: devices.failed + devices.timedOut,
    Reason: run.reason,
    'Created by': run.createdBy,
    Created: run.createdAt,
    Ended: run.endedAt,
  });
}

type RunRow = OperationOutput<'listRuns'>['items'][number];

const runColumns: readonly TableColumn<RunRow>[] = [
  { title: 'run', value: ({ id }) => id },
  { title: 'command', value: ({ command }) => command },
  { title: 'status', value: (run) => stateLabel(run.statusDetails) },
  { title: 'devices', value: ({ devices }) => `${devices.succeeded}/${devices.total}` },
  { title: 'created', value: ({ createdAt }) => createdAt },
  { title: 'created by', value: ({ createdBy }) => createdBy },
  { title: 'reason', value: ({ reason }) => reason },
];

export async function listRuns(
  session: Session,
  {
    limit,
    ...query
  }: { readonly limit: number; readonly mine?: boolean; readonly active?: boolean },
): Promise<void> {
  const api = await session.api();
  const runs = listItems((page) => api.call('listRuns', { query: { ...query, ...page } }), limit);
  await session.printer.list(runs, runColumns, 'No runs.');
}

export async function cancelRun(session: Session, run: string): Promise<void> {
  const api = await session.api();
  printRun(session.printer, await api.call('cancelRun', { params: { run } }));
}

export async function showReport(session: Session, run: string): Promise<void> {
  const { printer } = session;
  const report = await (await session.api()).call('getRunReport', { params: { run } });
  if (printer.isJson) {
    printer.json(report);
    return;
  }
  printRun(printer, report.run);
  printer.line('');
  await printer.list(
    report.outputs,
    [
      { title: 'devices', value: ({ devices }) => devices },
      { title: 'status', value: (output) => stateLabel(output.statusDetails) },
      { title: 'exit code', value: ({ exitCode }) => exitCode },
      { title: 'output', value: ({ text }) => text },
    ],
    'No outputs.',
  );
}
