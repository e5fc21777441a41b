import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { ControlChannel } from './control-channel.ts';

/** Of Linux devices, run by the agent. */
const SHELL = { type: 3, runAsUser: 0 };

/** From the request until the session has received the output of every device. */
export async function runOnNodes(
  control: ControlChannel,
  nodeids: readonly string[],
  cmds = 'top -b -n 1',
): Promise<number> {
  const responseid = randomUUID();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = nodeids.length;
  using _ = control.onMessage((message) => {
    if (message.responseid !== responseid) return;
    const output = message['result'];
    if (message.type !== 'runcommands' || output === '') reject(new Error(JSON.stringify(message)));
    left -= 1;
    if (left === 0) resolve();
  });
  const startedAt = performance.now();
  control.send({ action: 'runcommands', nodeids, ...SHELL, cmds, reply: true, responseid });
  await promise;
  return performance.now() - startedAt;
}
