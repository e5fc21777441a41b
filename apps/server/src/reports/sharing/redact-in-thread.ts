import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { PortalError } from '@deviceportal/contract/errors';
import type { Redaction, SharePreview } from '@deviceportal/contract/reports';
import { findPeopleNamed } from '../../people/find-people-named.ts';
import type { Database } from '../../platform/database/database.ts';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';

export interface ReportCopy {
  /** Opens the JSON to redact. */
  readonly openJson: () => Promise<Readable>;
  readonly redaction: Redaction;
}

/** The JSON in pieces, then how to redact it, then the names that were looked up. */
export type RedactionQuestion =
  | { readonly piece: Uint8Array }
  | Pick<ReportCopy, 'redaction'>
  | { readonly names: string[] };

/** First the names to look up, then the redacted report. */
export type RedactionAnswer =
  | { readonly candidates: readonly string[]; readonly exceptId: string }
  | { readonly preview: SharePreview };

const MOST_MS = 25_000;
const MOST_MEGABYTES = 512;
const redacting = new ConcurrencyLimit({ each: 1, all: 2, waiting: 50, maxWaitMs: 20_000 });
/** An idle thread that waits for the next report: starting a thread takes longer than redacting most reports. */
let idle: Worker | undefined;

/**
 * Redacts a stored report in a separate thread, so that a text that takes long to search blocks no other request.
 * @throws PortalError 2000 with the reason `redactionTooLong` when it takes too long
 */
export function redactInThread(
  deps: { readonly database: Database },
  userId: string,
  copy: ReportCopy,
): Promise<SharePreview> {
  return redacting.run(userId, async () => {
    const worker = idle ?? start();
    idle = undefined;
    const late = AbortSignal.timeout(MOST_MS);
    const failed = new AbortController();
    worker.once('error', (error) => failed.abort(error));
    try {
      const signal = AbortSignal.any([late, failed.signal]);
      const preview = await redactBy(worker, { deps, copy, signal });
      worker.removeAllListeners('error');
      await keep(worker);
      return preview;
    } catch (error) {
      await worker.terminate();
      throw late.aborted ? tooLong() : error;
    }
  });
}

async function redactBy(
  worker: Worker,
  {
    deps,
    copy,
    signal,
  }: {
    readonly deps: { readonly database: Database };
    readonly copy: ReportCopy;
    readonly signal: AbortSignal;
  },
): Promise<SharePreview> {
  const { postMessage } = worker;
  const ask = async (question: RedactionQuestion): Promise<RedactionAnswer> => {
    postMessage.call(worker, question);
    const [answer] = (await once(worker, 'message', { signal })) as [RedactionAnswer];
    return answer;
  };
  // Leaving the loop closes the file.
  for await (const piece of (await copy.openJson()) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    postMessage.call(worker, { piece });
  }
  const asked = await ask({ redaction: copy.redaction });
  if (!('candidates' in asked)) throw new Error('the redaction requested no names');
  const names = await findPeopleNamed(deps, asked.candidates, asked.exceptId);
  const answer = await ask({ names });
  if (!('preview' in answer)) throw new Error('the redaction returned no result');
  return answer.preview;
}

function start(): Worker {
  const worker = new Worker(new URL('redaction-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  worker.unref();
  return worker;
}

async function keep(worker: Worker): Promise<void> {
  if (idle !== undefined) return void (await worker.terminate());
  idle = worker;
  worker.once('error', () => {
    if (idle === worker) idle = undefined;
  });
}

const tooLong = (): PortalError =>
  new PortalError('httpUnknown', {
    message: 'This report takes too long to redact. Make one of a shorter time or of fewer parts.',
    facts: { reason: 'redactionTooLong' },
    httpStatus: 422,
  });
