import type { MessageQueue } from '../../platform/aws/aws-package.ts';

/** A queue that also tells how long it has been received from without interruption. */
export interface TimedQueue {
  readonly messages: MessageQueue;
  /** Milliseconds; 0 while nothing can be received. */
  readonly listeningMs: () => number;
}

export function timeReceiving(messages: MessageQueue): TimedQueue {
  let sinceMs: number | undefined;
  return {
    listeningMs: () => (sinceMs === undefined ? 0 : performance.now() - sinceMs),
    messages: {
      ...messages,
      async receive(signal) {
        try {
          const received = await messages.receive(signal);
          sinceMs ??= performance.now();
          return received;
        } catch (error) {
          sinceMs = undefined;
          throw error;
        }
      },
    },
  };
}
