import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import {
  caseOutcome,
  casePriority,
  caseState,
  connectivity,
  deviceLifecycle,
} from '@deviceportal/contract/states';
import type { CliContext } from './cli-context.ts';
import { listAlerts } from './commands/alerts.ts';
import { listAuditEvents } from './commands/audit-events.ts';
import {
  addCaseNote,
  closeCase,
  listCaseEntries,
  listCases,
  openCase,
  showCase,
} from './commands/cases.ts';
import {
  listCommands,
  listDocuments,
  search,
  showDocument,
  showToken,
} from './commands/catalog.ts';
import { listDevices, listHistory, showDevice } from './commands/devices.ts';
import { fileActions, useFiles } from './commands/files.ts';
import { showMetrics } from './commands/metrics.ts';
import { importFile, undoImport } from './commands/imports.ts';
import { showOutput } from './commands/output.ts';
import { cancelRun, listRuns, runCommand, showReport, watchRun } from './commands/runs.ts';
import { completionScript, shells, type Shell } from './completion/completion-script.ts';
import type { ExitCode } from './exit-codes.ts';
import { useWebhooks, webhookActions } from './commands/webhooks.ts';
import { openSession, type CommonOptions, type Session } from './session.ts';
import { signIn } from './sign-in/sign-in.ts';
import { signOut } from './sign-in/sign-out.ts';

export interface ProgramOptions {
  readonly context: CliContext;
  readonly version: string;
  readonly onExit: (code: ExitCode) => void;
}

/** Commander gives the arguments of a command and its options, as the command declares them. */
type Act = (session: Session, ...values: never[]) => Promise<ExitCode | void>;

const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number greater than 0.');
}

const keys = (table: object): string[] => Object.keys(table);
const limit = (): Option =>
  new Option('--limit <count>', 'most items to list').default(100).argParser(wholeNumber);
const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description} (repeatable)`).argParser<readonly string[]>(several);

const timeRange = (): Option[] => [
  new Option('--from <time>', 'ISO 8601'),
  new Option('--to <time>', 'ISO 8601'),
];

/** All commands. */
export function createProgram({ context, version, onExit }: ProgramOptions): Command {
  const program = new Command('deviceportal')
    .description('Finds devices, runs commands, and works on cases in a Device Portal.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    });

  /** Adds a command with the options that all have. */
  const add: Add = (syntax, description, act, options = []) => {
    const command = program.command(syntax).description(description);
    for (const each of options) {
      if (each instanceof Option) command.addOption(each);
      else command.addArgument(each);
    }
    command
      .option('--json', 'print JSON: one document, or one per line for lists')
      .option('--portal <url>', 'the portal, if not the current one')
      .action(async (...given: readonly unknown[]) => {
        // Commander adds itself as the last value.
        const values = given.slice(0, -2);
        const { json, portal, ...own } = given.at(-2) as CommonOptions;
        const session = openSession(context, { json, portal });
        const code = await act(session, ...([...values, own] as never[]));
        if (code !== undefined) onExit(code);
      });
  };

  addSignIn(add);
  addDevices(add);
  addFiles(add);
  addRuns(add);
  addCatalog(add);
  addCases(add);
  addRecords(add);
  addImports(add);
  addWebhooks(add);
  add(
    'completion',
    'Print a script for completion in a shell',
    async ({ printer }, shell: Shell) => printer.line(completionScript(program, shell)),
    [new Argument('<shell>', 'the shell').choices(shells)],
  );
  return program;
}

type Add = (
  syntax: string,
  description: string,
  act: Act,
  options?: readonly (Option | Argument)[],
) => void;

function addSignIn(add: Add): void {
  add('sign-in <url>', 'Sign in to a portal with a code that you approve in a browser', signIn, [
    new Option('--token', 'use a token from the standard input or DEVICEPORTAL_TOKEN instead'),
    repeatable('--permission <name>', 'permission to request'),
  ]);
  add('sign-out', 'Revoke the token and delete it from this machine', signOut);
  add('token', 'Show what the token can do', showToken);
}

function addDevices(add: Add): void {
  add('devices', 'List devices', listDevices, [
    new Option('--text <text>', 'in serial number, name, owner, model, and labels'),
    repeatable('--serial-number <number>', 'serial number'),
    repeatable('--model <model>', 'model'),
    repeatable('--country <code>', 'country'),
    repeatable('--connectivity <state>', keys(connectivity).join(', ')),
    repeatable('--lifecycle <state>', keys(deviceLifecycle).join(', ')),
    repeatable('--label <label>', 'key:value, or key'),
    repeatable('--finding <rule>', 'a rule, or any'),
    new Option('--sort <column>', 'column to sort by'),
    new Option('--ascending', 'lowest first'),
    limit(),
  ]);
  add('device <device>', 'Show a device by its ID, serial number, or name', showDevice);
  add('history <device>', 'List the commands that were run on a device', listHistory, [limit()]);
  add(
    'metrics <device>',
    'Show what a device has measured, of the last day by default',
    showMetrics,
    [
      ...timeRange(),
      repeatable('--metric <name>', 'metric'),
      new Option('--points <count>', 'most points of a series').argParser(wholeNumber),
    ],
  );
}

function addFiles(add: Add): void {
  add('files', 'List a folder of a device, or download a file of it', useFiles, [
    new Argument('<action>', 'list or get; put is only in the portal').choices(fileActions),
    new Argument('<device>', 'ID, serial number, or name'),
    new Argument('[path]', 'folder or file; without it, the folders that the device allows'),
    new Option('--reason <text>', 'why; recorded, and written to its log').makeOptionMandatory(),
    new Option('--output <file>', 'where to save the file; its name by default'),
    new Option('--force', 'replace a file that exists on this machine'),
    limit(),
  ]);
}

function addRuns(add: Add): void {
  const wait = new Option('--wait-seconds <seconds>', 'longest time to wait').argParser(
    wholeNumber,
  );
  add('run <command>', 'Run a command of the catalog, or a document, on devices', runCommand, [
    repeatable('--device <device>', 'ID, serial number, or name').makeOptionMandatory(),
    repeatable('--parameter <key=value>', 'parameter; several of one key are a list'),
    new Option('--parameter-file <file>', 'parameters as JSON; - for the standard input'),
    new Option('--reason <text>', 'why; shown with the run and recorded').makeOptionMandatory(),
    new Option('--case <id>', 'a case to link the run to'),
    new Option('--timeout <seconds>', 'how long to wait for offline devices').argParser(
      wholeNumber,
    ),
    new Option('--max-concurrency <number>', 'devices at the same time, or a percentage'),
    new Option('--max-errors <number>', 'failures after which the run stops, or a percentage'),
    new Option('--skip-unavailable', 'leave out devices that cannot run it'),
    new Option('--idempotency-key <key>', 'a repeated run with the same key is the same run'),
    new Option('--wait', 'wait until the run has ended; the exit code shows its outcome'),
    wait,
  ]);
  add('watch <run>', 'Wait until a run has ended; the exit code shows its outcome', watchRun, [
    wait,
  ]);
  add('output <run>', 'Print the output of a run', showOutput, [
    new Option('--device <device>', 'ID, serial number, or name'),
    new Option('--follow', 'continue until the command has ended'),
  ]);
  add('runs', 'List runs, newest first', listRuns, [
    new Option('--mine', 'only own runs'),
    new Option('--active', 'only runs that have not ended'),
    limit(),
  ]);
  add('cancel <run>', 'Cancel a run', cancelRun);
  add('report <run>', 'Show the results and distinct outputs of a run', showReport);
}

function addCatalog(add: Add): void {
  add('commands', 'List the commands of the catalog', listCommands);
  add('documents', 'List command documents', listDocuments, [
    new Option('--text <text>', 'in name and description'),
    limit(),
  ]);
  add('document <name>', 'Show a command document with its parameters', showDocument);
  add('search <text>', 'Search everything that you can read', search, [
    repeatable('--kind <kind>', 'kind of result'),
  ]);
}

function addImports(add: Add): void {
  add('import', 'Check a CSV or JSON file, and import it with --confirm', importFile, [
    new Argument('<kind>', 'what the file contains').choices(['devices', 'people']),
    new Argument('<file>', 'the file'),
    new Option('--preview', 'only show what would change; the default').conflicts('confirm'),
    new Option('--confirm', 'write the new and changed rows; rejected rows are skipped'),
    new Option('--encoding <encoding>', 'encoding of the file').choices([
      ...['unicode', 'gb18030', 'windows-1252'],
    ]),
    limit(),
  ]);
  add('undo-import <import>', 'Undo an import within 24 hours', undoImport);
}

function addWebhooks(add: Add): void {
  add('webhooks', 'List webhooks and their deliveries, test them, and send again', useWebhooks, [
    new Argument('[action]', 'list, deliveries, test, or resend')
      .choices(webhookActions)
      .default('list'),
    new Argument('[id]', 'ID or name of the webhook; for resend, ID of the delivery'),
    new Option('--failed', 'only deliveries that were given up'),
  ]);
}

function addCases(add: Add): void {
  add('cases', 'List cases, newest first', listCases, [
    new Option('--state <state>', 'state').choices(keys(caseState)),
    new Option('--mine', 'only own cases'),
    new Option('--person <id>', 'cases of a person'),
    new Option('--ticket <number>', 'start of a ticket number'),
    limit(),
  ]);
  add('case <case>', 'Show a case', showCase);
  add('case-entries <case>', 'List the entries of a case, newest first', listCaseEntries, [
    limit(),
  ]);
  add('open-case <person>', 'Open a case for a person', openCase, [
    new Option('--ticket <number>', 'number in the ticket system'),
    new Option('--about <text>', 'what it is about'),
    new Option('--priority <priority>', 'priority').choices(keys(casePriority)),
    new Option('--queue <queue>', 'queue'),
    new Option('--due <time>', 'ISO 8601'),
  ]);
  add('add-note <case> <text>', 'Add a note to a case', addCaseNote);
  add('close-case <case>', 'Close a case', closeCase, [
    new Option('--outcome <outcome>', 'outcome').choices(keys(caseOutcome)).makeOptionMandatory(),
    new Option('--text <text>', 'what was done'),
  ]);
}

function addRecords(add: Add): void {
  add('alerts', 'List alerts that are firing, newest first', listAlerts, [
    new Option('--resolved', 'resolved alerts instead'),
    limit(),
  ]);
  add('audit-trail', 'List events of the audit trail, newest first', listAuditEvents, [
    ...timeRange(),
    repeatable('--type <type>', 'a type, or the start of types: command.*'),
    new Option('--device <device>', 'ID, serial number, or name'),
    new Option('--run <id>', 'events of a run'),
    new Option('--case <id>', 'events of a case'),
    new Option('--text <text>', 'text in the event'),
    limit(),
  ]);
}
