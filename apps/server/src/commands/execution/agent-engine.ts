import type { DeviceTransport, DownMessage } from '../../gateway/device-transport.ts';
import { Turn } from '../../platform/process/turn.ts';
import type { CommandEngine } from './command-engine.ts';
import { CommandMessages, type CommandMessageDeps } from './command-messages.ts';

export interface AgentEngineDeps extends CommandMessageDeps {
  readonly transport: Pick<DeviceTransport, 'publish'>;
}

/** Limits the size of one batch of messages, even with large documents. */
const BATCH = 250;

/** Sends commands to the agent of Device Portal, as messages over its connection. */
export function createAgentEngine(deps: AgentEngineDeps): CommandEngine {
  const messages = new CommandMessages(deps);
  return {
    async send(runId, claimed) {
      if (claimed.length === 0) return;
      const make = await messages.makerOf(runId);
      const turn = new Turn();
      for (const some of batches(claimed)) {
        const made = await make(some);
        if (made.length > 0) deps.transport.publish(made);
        await turn.pause();
      }
    },
    async cancel(stopped) {
      const made = stopped.map(({ id, deviceId }): DownMessage => ({
        ...{ deviceId, channel: 'cancel', qos: 1 },
        payload: JSON.stringify({ invocationId: id }),
      }));
      for (const some of batches(made)) deps.transport.publish(some);
    },
  };
}

function* batches<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}
