import { randomUUID } from 'node:crypto';
import type { PartAddress } from './start-part.ts';

/** The most messages that SQS takes at once. */
const AT_ONCE = 10;

/** A new queue of ElasticMQ, without the clients of AWS. */
export interface TestQueue {
  readonly url: string;
  readonly send: (bodies: readonly string[]) => Promise<void>;
  /** The number of messages in the queue, and of those received but not removed. */
  readonly count: () => Promise<{ readonly waiting: number; readonly received: number }>;
}

export async function createTestQueue({ endpoint }: PartAddress): Promise<TestQueue> {
  const call = async (action: string, input: unknown): Promise<Record<string, never>> => {
    const reply = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${action}`,
      },
      body: JSON.stringify(input),
    });
    if (!reply.ok) throw new Error(`${action}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, never>;
  };
  const created: { readonly QueueUrl?: string } = await call('CreateQueue', {
    QueueName: randomUUID(),
  });
  const url = created.QueueUrl ?? '';
  return {
    url,
    async send(bodies) {
      for (let at = 0; at < bodies.length; at += AT_ONCE) {
        const Entries = bodies
          .slice(at, at + AT_ONCE)
          .map((MessageBody, index) => ({ Id: String(index), MessageBody }));
        await call('SendMessageBatch', { QueueUrl: url, Entries });
      }
    },
    async count() {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];
      const { Attributes }: { readonly Attributes?: Record<string, string> } = await call(
        'GetQueueAttributes',
        { QueueUrl: url, AttributeNames: names },
      );
      const [waiting, received] = names.map((name) => Number(Attributes?.[name]));
      return { waiting: waiting ?? 0, received: received ?? 0 };
    },
  };
}
