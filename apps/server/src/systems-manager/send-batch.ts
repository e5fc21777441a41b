import { findOpenAmong } from '../commands/data/execution/open-work-queries.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import type { NewSsmCommand, RunCommand } from '../platform/aws/run-command.ts';
import { inTransaction } from '../platform/database/database.ts';
import { applyResults, type ApplyDeps } from './apply-results.ts';
import {
  beginAttempt,
  endBatch,
  findMembers,
  postponeBatch,
  splitBatch,
  storeCommand,
  undoAttempt,
  type Batch,
  type BatchMember,
} from './data/batch-queries.ts';
import {
  DocumentNotReady,
  forgetDocument,
  publishDocument,
  type PublishedDocument,
} from './document-publisher.ts';
import { readRunContent, type ContentDeps, type SsmRunContent } from './run-content.ts';
import { faultOf } from './service-fault.ts';
import { endedEntries } from './translate-invocation.ts';

export interface SendDeps extends ApplyDeps, ContentDeps {
  readonly database: ApplyDeps['database'];
  readonly api: RunCommand;
  readonly region: string;
  readonly output: NewSsmCommand['output'];
  readonly logger: GatewayLogger;
  /** For which a call, and the search for it, belong to one server. */
  readonly leaseSeconds: number;
}

/** Limits of SendCommand (AWS Systems Manager API Reference). */
const DELIVERY_SECONDS = { least: 30, most: 2_592_000 };
const RETRY_SECONDS = 2;

/** By which a command is found again. */
const commentOf = (batchId: string): string => `Device Portal batch ${batchId}`;

interface OpenMember extends BatchMember {
  readonly state: string;
  readonly deliverBefore: Date;
}

/**
 * Sends a batch, or finds the command of an earlier call that was not answered. SendCommand has no client token, so a
 * call is recorded before it is made, and is repeated only if its command cannot be found.
 */
export async function sendBatch(deps: SendDeps, batch: Batch): Promise<void> {
  const { database, api } = deps;
  const run = await readRunContent(deps, batch.runId);
  if (run === undefined) return endBatch(database.orm, batch.id);
  if (batch.attempts > 0) {
    const wanted = { comment: commentOf(batch.id), documentName: run.name, since: batch.createdAt };
    const found = await api.findCommand(wanted);
    if (found !== undefined) return storeCommand(database.orm, batch.id, found);
  }
  const open = await openMembers(deps, batch);
  const stopped = open.filter(({ state }) => state === 'Cancelling');
  await conclude(deps, run, { members: stopped, statusDetails: 'Cancelled', text: '' });
  const wanted = open.filter(({ state }) => state === 'InProgress');
  if (wanted.length === 0) return endBatch(database.orm, batch.id);
  if (run.obstacles.length > 0) {
    const text = `Systems Manager cannot run this document: ${run.obstacles.join(', ')}`;
    await conclude(deps, run, { members: wanted, statusDetails: 'Failed', text });
    return endBatch(database.orm, batch.id);
  }
  await call(deps, { batch, run, members: wanted });
}

async function openMembers({ database }: SendDeps, batch: Batch): Promise<OpenMember[]> {
  const members = await findMembers(database.orm, batch.id);
  const rows = await findOpenAmong(
    database,
    members.map(({ invocationId }) => invocationId),
  );
  const open = new Map(rows.map((row) => [row.id, row]));
  return members.flatMap((member) => {
    const row = open.get(member.invocationId);
    return row === undefined
      ? []
      : [{ ...member, state: row.state, deliverBefore: row.deliverBefore }];
  });
}

interface Call {
  readonly batch: Batch;
  readonly run: SsmRunContent;
  readonly members: readonly OpenMember[];
}

async function call(deps: SendDeps, { batch, run, members }: Call): Promise<void> {
  const { database, api, leaseSeconds } = deps;
  let hasBegun = false;
  try {
    const document = await publishDocument(deps, run);
    if (!(await beginAttempt(database.orm, batch, leaseSeconds))) return;
    hasBegun = true;
    const command = commandOf(deps, { batch, run, members }, document);
    await storeCommand(database.orm, batch.id, await api.send(command));
  } catch (error) {
    await settleFault(deps, { batch, run, members }, { error, hasBegun });
  }
}

function commandOf(
  { clock, output }: SendDeps,
  { batch, run, members }: Call,
  document: PublishedDocument,
): NewSsmCommand {
  const [{ deliverBefore } = { deliverBefore: clock() }] = members;
  const seconds = Math.ceil((deliverBefore.getTime() - clock().getTime()) / 1_000);
  return {
    document,
    parameters: run.parameters,
    instanceIds: members.map(({ instanceId }) => instanceId),
    comment: commentOf(batch.id),
    deliverySeconds: Math.min(DELIVERY_SECONDS.most, Math.max(DELIVERY_SECONDS.least, seconds)),
    output: output && { ...output, prefix: [output.prefix, batch.id].filter(Boolean).join('/') },
  };
}

async function settleFault(
  deps: SendDeps,
  { batch, run, members }: Call,
  { error, hasBegun }: { readonly error: unknown; readonly hasBegun: boolean },
): Promise<void> {
  const { database, logger } = deps;
  const fault = faultOf(error);
  // Without an answer, the command is searched when the lease ends.
  if (hasBegun && !fault.isRefused) {
    logger.warn({ err: error, batchId: batch.id }, 'SendCommand was not answered');
    return;
  }
  if (hasBegun) await undoAttempt(database.orm, batch.id);
  if (fault.isInvalidInstance && members.length > 1) {
    await inTransaction(database, (tx) => splitBatch(tx, batch, members));
    return;
  }
  if (fault.isInvalidInstance || fault.isPermanent) {
    const given = fault.isInvalidInstance ? 'Undeliverable' : null;
    if (given === null)
      await conclude(deps, run, { members, statusDetails: 'Failed', text: fault.text });
    else
      await applyResults(
        deps,
        members.map((member) => ({ ...member, entries: [], given })),
      );
    return endBatch(database.orm, batch.id);
  }
  if (fault.isUnknownDocument) await forgetDocument(deps, run);
  if (!(error instanceof DocumentNotReady))
    logger.warn({ err: error, batchId: batch.id }, 'command not sent to Systems Manager');
  await postponeBatch(database.orm, batch.id, RETRY_SECONDS);
}

/** Ends invocations that Systems Manager never received. */
async function conclude(
  deps: SendDeps,
  run: SsmRunContent,
  {
    members,
    statusDetails,
    text,
  }: {
    readonly members: readonly BatchMember[];
    readonly statusDetails: 'Failed' | 'Cancelled';
    readonly text: string;
  },
): Promise<void> {
  const output = { stdout: '', stderr: text };
  const context = { run, now: deps.clock() };
  await applyResults(
    deps,
    members.map(({ invocationId, deviceId }) => ({
      invocationId,
      deviceId,
      entries: endedEntries(invocationId, { statusDetails, steps: [], output }, context),
      given: null,
    })),
  );
}
