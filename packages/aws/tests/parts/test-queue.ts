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

/** @param options.deadLetters whether messages that fail five times go to another queue, as in production */
export async function createTestQueue(
  { endpoint }: PartAddress,
  { deadLetters = false }: { readonly deadLetters?: boolean } = {},
): Promise<TestQueue> {
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
  const create = (attributes: Readonly<Record<string, string>>) =>
    call('CreateQueue', { QueueName: randomUUID(), Attributes: attributes });
  const redrive = async (): Promise<Readonly<Record<string, string>>> => {
    const { QueueUrl } = await create({});
    const asked = { QueueUrl, AttributeNames: ['QueueArn'] };
    const { Attributes }: { readonly Attributes?: Record<string, string> } = await call(
      'GetQueueAttributes',
      asked,
    );
    const policy = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount: 5 };
    return { RedrivePolicy: JSON.stringify(policy) };
  };
  const created: { readonly QueueUrl?: string } = await create(deadLetters ? await redrive() : {});
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
