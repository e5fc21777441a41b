import { createHmac } from 'node:crypto';
import type { StreamSink } from './stream-sink.ts';
import { streamLine, type StreamedEvent } from './streamed-event.ts';

export interface HttpsSinkOptions {
  readonly url: string;
  /** NDJSON, or a JSON array. */
  readonly format: 'ndjson' | 'json';
  /** Value of the header `Authorization`; a secret. */
  readonly authorization: string | undefined;
  /** Shared with the receiver, which verifies the signature of each request with it. */
  readonly signingSecret: string | undefined;
  readonly clock: () => Date;
}

const LIMIT_MS = 30_000;
/** A larger event is sent alone. */
const REQUEST_BYTES = 1024 * 1024;

/** Events by `POST` requests, one after the other. A status of 2xx accepts all events of a request. */
export function createHttpsSink(options: HttpsSinkOptions): StreamSink {
  return {
    name: 'https',
    async send(events) {
      for (const batch of batchesOf(events)) await post(options, batch);
    },
  };
}

interface Batch {
  readonly lines: readonly string[];
  readonly first: number;
  readonly last: number;
}

function* batchesOf(events: readonly StreamedEvent[]): Generator<Batch> {
  let lines: string[] = [];
  let [bytes, first] = [0, 0];
  for (const event of events) {
    const line = streamLine(event);
    if (lines.length > 0 && bytes + line.length > REQUEST_BYTES) {
      yield { lines, first, last: event.sequence - 1 };
      [lines, bytes] = [[], 0];
    }
    if (lines.length === 0) first = event.sequence;
    lines.push(line);
    bytes += line.length + 1;
  }
  const last = events.at(-1);
  if (last !== undefined) yield { lines, first, last: last.sequence };
}

async function post(options: HttpsSinkOptions, { lines, first, last }: Batch): Promise<void> {
  const { url, format, authorization, signingSecret, clock } = options;
  const body = format === 'json' ? `[${lines.join(',')}]` : `${lines.join('\n')}\n`;
  const seconds = Math.floor(clock().getTime() / 1_000);
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': format === 'json' ? 'application/json' : 'application/x-ndjson',
      'idempotency-key': `${first}-${last}`,
      ...(authorization !== undefined && { authorization }),
      ...(signingSecret !== undefined && {
        'x-deviceportal-signature': `t=${seconds},v1=${hmac(signingSecret, `${seconds}.${body}`)}`,
      }),
    },
    body,
    // It would get the header, too.
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  await reply.body?.cancel();
  if (!reply.ok) throw new Error(`the receiver answered ${reply.status}`);
}

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
