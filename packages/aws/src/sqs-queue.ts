import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { clientOptions } from './client-options.ts';

/** The most that SQS delivers at once, and the longest that it waits for the first. */
const BATCH = 10;
const WAIT_SECONDS = 20;
/** A message that was neither removed nor postponed is delivered again after this time. */
const VISIBILITY_SECONDS = 120;

/** A queue of Amazon SQS. */
export const createSqsQueue: AwsPackage['sqs-queue']['createSqsQueue'] = ({ url, ...options }) => {
  // The client warns at each call about a queue of another endpoint, such as one in a VPC.
  const endpoint = options.endpoint ?? new URL(url).origin;
  const client = new SQSClient(clientOptions({ ...options, endpoint }));
  const at = { QueueUrl: url };
  const numbered = (receipts: readonly string[]) =>
    receipts.map((receipt, index) => ({ Id: String(index), ReceiptHandle: receipt }));
  return {
    async describe() {
      const command = new GetQueueAttributesCommand({
        ...at,
        AttributeNames: ['RedrivePolicy', 'ApproximateNumberOfMessages'],
      });
      const { Attributes } = await client.send(command);
      return {
        hasDeadLetters: Attributes?.['RedrivePolicy'] !== undefined,
        waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
      };
    },
    async receive(signal) {
      const command = new ReceiveMessageCommand({
        ...at,
        MaxNumberOfMessages: BATCH,
        WaitTimeSeconds: WAIT_SECONDS,
        VisibilityTimeout: VISIBILITY_SECONDS,
        MessageSystemAttributeNames: ['ApproximateReceiveCount', 'SentTimestamp'],
      });
      const { Messages = [] } = await client.send(command, { abortSignal: signal });
      return Messages.flatMap(({ Body, ReceiptHandle, Attributes }) =>
        Body === undefined || ReceiptHandle === undefined
          ? []
          : [
              {
                body: Body,
                receipt: ReceiptHandle,
                deliveries: Number(Attributes?.ApproximateReceiveCount ?? 1),
                sentAt: new Date(Number(Attributes?.SentTimestamp ?? Date.now())),
              },
            ],
      );
    },
    async remove(receipts) {
      if (receipts.length === 0) return;
      await client.send(new DeleteMessageBatchCommand({ ...at, Entries: numbered(receipts) }));
    },
    async postpone(postponed) {
      if (postponed.length === 0) return;
      const Entries = postponed.map(({ receipt, seconds }, index) => ({
        Id: String(index),
        ReceiptHandle: receipt,
        VisibilityTimeout: seconds,
      }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ ...at, Entries }));
    },
  };
};
