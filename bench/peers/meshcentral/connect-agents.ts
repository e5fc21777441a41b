import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startHelper } from '../../capacity/start-helper.ts';
import { until } from '../until.ts';
import type { AgentsOrder } from './agents-process.ts';
import type { ControlChannel } from './control-channel.ts';
import { createGroup, groupBytes } from './create-group.ts';
import type { MeshCentralPlace } from './meshcentral-place.ts';

/** Simulated agents in one other process. Resolves with their IDs. */
export async function connectAgents(
  resources: AsyncDisposableStack,
  control: ControlChannel,
  { directory, port, count }: MeshCentralPlace & { readonly count: number },
): Promise<readonly string[]> {
  const group = await createGroup(control);
  const agents = resources.use(
    startHelper<AgentsOrder>(new URL('agents-process.ts', import.meta.url)),
  );
  const program = await readFile(
    join(directory, 'node_modules/meshcentral/agents/meshagent_x86-64'),
  );
  await agents.ask({
    url: `wss://127.0.0.1:${port}/agent.ashx`,
    group: groupBytes(group).toString('base64'),
    programHash: createHash('sha384').update(program).digest('base64'),
    count,
  });
  let connected: readonly string[] = [];
  await until(
    async () => {
      const nodes = await control.listNodes();
      connected = nodes.filter(({ conn = 0 }) => (conn & 1) === 1).map(({ _id }) => _id);
      return connected.length >= count;
    },
    { what: 'agents connected', everyMs: 500 },
  );
  return connected;
}
