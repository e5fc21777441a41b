import { INVOCATION_OUTPUT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import { findOpenAmong } from '../commands/data/execution/open-work-queries.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import type { RunCommand, SsmInvocation } from '../platform/aws/run-command.ts';
import { applyResults, type ApplyDeps, type InvocationResult } from './apply-results.ts';
import { endBatch, findMembers, postponeBatch, type Batch } from './data/batch-queries.ts';
import { readRunContent, type ContentDeps, type SsmRunContent } from './run-content.ts';
import {
  endedEntries,
  endOf,
  hasBegun,
  startedEntry,
  type ReadText,
  type SsmEnd,
} from './translate-invocation.ts';

export interface ReadDeps extends ApplyDeps, ContentDeps {
  readonly database: ApplyDeps['database'];
  readonly api: RunCommand;
  readonly logger: GatewayLogger;
  /** Complete output at a URL of S3, up to a number of bytes; undefined without a bucket. */
  readonly readObject: ((url: string, limitBytes: number) => Promise<string>) | undefined;
  /** Until the command is read again. */
  readonly readSeconds: number;
}

/** Where Systems Manager cuts (AWS Systems Manager API Reference, GetCommandInvocation). */
const STDOUT_CHARACTERS = 24_000;
const STDERR_CHARACTERS = 8_000;
const INSTANCES_AT_ONCE = 4;

type Open = Awaited<ReturnType<typeof findOpenAmong>>[number];

/** Reads the state of a command, and applies what has changed on its instances. */
export async function readBatch(deps: ReadDeps, batch: Batch): Promise<void> {
  const { database, api } = deps;
  const { commandId, runId } = batch;
  const members = await findMembers(database.orm, batch.id);
  const rows = await findOpenAmong(
    database,
    members.map(({ invocationId }) => invocationId),
  );
  const run = rows.length === 0 ? undefined : await readRunContent(deps, runId);
  if (commandId === null || run === undefined) return endBatch(database.orm, batch.id);
  const open = new Map(rows.map((row) => [row.id, row]));
  const byInstance = new Map(
    members.map(({ instanceId, invocationId }) => [instanceId, open.get(invocationId)]),
  );
  const found = (await api.listInvocations(commandId)).flatMap((one) => {
    const row = byInstance.get(one.instanceId);
    return row === undefined ? [] : [{ commandId, run, found: one, row }];
  });
  // Few at a time, because each can have output of several megabytes.
  for (let from = 0; from < found.length; from += INSTANCES_AT_ONCE) {
    const part = found.slice(from, from + INSTANCES_AT_ONCE);
    const results = await Promise.all(part.map((one) => resultOf(deps, one)));
    await applyResults(
      deps,
      results.flatMap((result) => result ?? []),
    );
  }
  const isOver = found.filter((one) => endOf(one.found) !== null).length === rows.length;
  if (isOver) await endBatch(database.orm, batch.id);
  else await postponeBatch(database.orm, batch.id, deps.readSeconds);
}

interface FoundInvocation {
  readonly commandId: string;
  readonly run: SsmRunContent;
  readonly found: SsmInvocation;
  readonly row: Open;
}

/** Undefined if nothing has changed. */
async function resultOf(
  deps: ReadDeps,
  one: FoundInvocation,
): Promise<InvocationResult | undefined> {
  const { found, row } = one;
  const end = endOf(found);
  const of = { invocationId: row.id, deviceId: row.deviceId };
  if (end === null) {
    const isNew = hasBegun(found) && row.startedAt === null;
    return isNew
      ? { ...of, entries: [startedEntry(row.id, deps.clock())], given: null }
      : undefined;
  }
  if (end.by === 'service') return { ...of, entries: [], given: end.statusDetails };
  return { ...of, entries: await entriesOf(deps, one, end), given: null };
}

async function entriesOf(
  deps: ReadDeps,
  one: FoundInvocation,
  { statusDetails }: Extract<SsmEnd, { by: 'device' }>,
) {
  const { found, run, row } = one;
  const output = await readOutputs(deps, one);
  const context = { run, now: deps.clock() };
  return endedEntries(row.id, { statusDetails, steps: found.steps, output }, context);
}

/** The output of all steps, in order. */
async function readOutputs(
  deps: ReadDeps,
  { commandId, found: { instanceId, steps } }: FoundInvocation,
): Promise<ReadText> {
  let [stdout, stderr] = ['', ''];
  for (const { name } of steps) {
    const part = await readOutput(deps, { commandId, instanceId, step: name });
    stdout += part.stdout;
    stderr += part.stderr;
  }
  return { stdout, stderr };
}

async function readOutput(
  { api, readObject, logger }: ReadDeps,
  step: { readonly commandId: string; readonly instanceId: string; readonly step: string },
): Promise<ReadText> {
  const { stdout, stderr: errors, stdoutUrl } = await api.readOutput(step);
  const stderr = markedAt(STDERR_CHARACTERS, errors);
  const isLong = stdout.length >= STDOUT_CHARACTERS;
  if (isLong && readObject !== undefined && stdoutUrl !== '') {
    try {
      return { stdout: await readObject(stdoutUrl, INVOCATION_OUTPUT_LIMIT_BYTES), stderr };
    } catch (error) {
      // The instance may not write to the bucket; its result counts all the same.
      logger.warn({ err: error, ...step }, 'complete output of a command not readable');
    }
  }
  return { stdout: markedAt(STDOUT_CHARACTERS, stdout), stderr };
}

const markedAt = (characters: number, text: string): string =>
  text.length < characters
    ? text
    : `${text}\n[output beyond ${characters} characters was cut by AWS Systems Manager]\n`;
