import type { DeviceTransport, DownMessage } from '../../gateway/device-transport.ts';
import type { CommandEngine } from './command-engine.ts';
import { CommandMessages, type CommandMessageDeps } from './command-messages.ts';

export interface AgentEngineDeps extends CommandMessageDeps {
  readonly transport: Pick<DeviceTransport, 'publish'>;
}

/** Limits the size of one batch of messages, even with large documents. */
const PUBLISH_CHUNK = 250;

/** Sends commands to the agent of Device Portal, as messages over its connection. */
export function createAgentEngine(deps: AgentEngineDeps): CommandEngine {
  const messages = new CommandMessages(deps);
  const publish = (made: readonly DownMessage[]): void => {
    for (let from = 0; from < made.length; from += PUBLISH_CHUNK)
      deps.transport.publish(made.slice(from, from + PUBLISH_CHUNK));
  };
  return {
    send: async (runId, claimed) => publish(await messages.make(runId, claimed)),
    cancel: async (stopped) =>
      publish(
        stopped.map(({ id, deviceId }) => ({
          deviceId,
          channel: 'cancel',
          payload: JSON.stringify({ invocationId: id }),
          qos: 1,
        })),
      ),
  };
}
