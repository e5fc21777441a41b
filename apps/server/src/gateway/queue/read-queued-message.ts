import { safeParse } from '@deviceportal/contract/safe-parse';
import { z } from 'zod';
import { parseUpTopic } from '@deviceportal/device-protocol/topics';
import type { UpMessage } from '../device-transport.ts';
import {
  isConnectionTopic,
  readConnectionReport,
  type ConnectionReport,
} from '../iot/connection-report.ts';

/**
 * A message of the queue: the topic to which it was published, what was published in Base64, and when, in milliseconds
 * since 1970. A rule of AWS IoT writes it as `SELECT topic() AS topic, encode(*, 'base64') AS payload, timestamp() AS
 * at`.
 */
const queuedSchema = z.object({
  topic: z.string().max(1_024),
  payload: z.base64(),
  at: z.int().nonnegative().max(8_640_000_000_000_000).optional(),
});

type ReadQueued =
  | { readonly kind: 'message'; readonly message: UpMessage }
  /** Undefined for an event that is not of a device. */
  | { readonly kind: 'connection'; readonly report: ConnectionReport | undefined }
  | { readonly kind: 'unreadable'; readonly fault: string };

/** What a device published, or an event of its connection, in the body of a queued message. */
export function readQueuedMessage(body: string): ReadQueued {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return unreadable('not JSON');
  }
  const parsed = safeParse(queuedSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unreadable(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
  }
  const { topic, at } = parsed.data;
  const payload = Buffer.from(parsed.data.payload, 'base64');
  if (isConnectionTopic(topic))
    return { kind: 'connection', report: readConnectionReport(payload) };
  const address = parseUpTopic(topic);
  if (address === undefined) return unreadable('topic: not one of a device');
  const time = at === undefined ? {} : { receivedAt: new Date(at) };
  return { kind: 'message', message: { ...address, ...time, payload } };
}

const unreadable = (fault: string): ReadQueued => ({ kind: 'unreadable', fault });
