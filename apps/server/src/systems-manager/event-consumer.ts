import { setTimeout as sleep } from 'node:timers/promises';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { z } from 'zod';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import type { MessageQueue } from '../platform/aws/aws-package.ts';
import type { RunCommandEngine } from './run-command-engine.ts';

/** "EC2 Command Invocation Status-change Notification" of EventBridge, and the same of a whole command. */
const eventSchema = z.object({
  source: z.literal('aws.ssm'),
  detail: z.object({ 'command-id': z.string().max(64) }),
});

const FAULT_PAUSE_MS = 5_000;

export interface EventConsumerDeps {
  readonly messages: MessageQueue;
  readonly engine: Pick<RunCommandEngine, 'commandsChanged'>;
  readonly logger: GatewayLogger;
}

/** The command of which an event says that its state has changed; null for anything else. */
export function commandOfEvent(body: string): string | null {
  try {
    const parsed = safeParse(eventSchema, JSON.parse(body));
    return parsed.success ? parsed.data.detail['command-id'] : null;
  } catch {
    return null;
  }
}

/**
 * Reads the state of commands as soon as an event says that it has changed. The events are not trusted for more: they
 * arrive in any order, more than once, or not at all.
 */
export function consumeEvents({ messages, engine, logger }: EventConsumerDeps): AsyncDisposable {
  const stop = new AbortController();
  const receive = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const received = await messages.receive(stop.signal);
        const commands = received.flatMap(({ body }) => commandOfEvent(body) ?? []);
        await engine.commandsChanged([...new Set(commands)]);
        await messages.remove(received.map(({ receipt }) => receipt));
      } catch (error) {
        if (stop.signal.aborted) return;
        logger.warn({ err: error }, 'queue of Run Command events unavailable');
        await sleep(FAULT_PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
  };
  const work = receive();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await work;
    },
  };
}
