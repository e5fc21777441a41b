import { safeParse } from '@deviceportal/contract/safe-parse';
import { z } from 'zod';
import { parseUpTopic } from '@deviceportal/device-protocol/topics';
import type { UpMessage } from '../device-transport.ts';

/**
 * A message of the queue: the topic to which a device published, and what it published in Base64. A
 * rule of AWS IoT writes it as `SELECT topic() AS topic, encode(*, 'base64') AS payload`.
 */
const queuedSchema = z.object({ topic: z.string().max(1_024), payload: z.base64() });

type ReadQueued =
  | { readonly message: UpMessage; readonly fault?: undefined }
  | { readonly message?: undefined; readonly fault: string };

/** The journal message of a device in the body of a queued message. */
export function readQueuedMessage(body: string): ReadQueued {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { fault: 'not JSON' };
  }
  const parsed = safeParse(queuedSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { fault: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}` };
  }
  const address = parseUpTopic(parsed.data.topic);
  if (address?.channel !== 'journal') return { fault: 'topic: not the journal of a device' };
  return { message: { ...address, payload: Buffer.from(parsed.data.payload, 'base64') } };
}
