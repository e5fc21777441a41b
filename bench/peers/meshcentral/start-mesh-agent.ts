import { spawn } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningAgent } from '../product.ts';
import { until } from '../until.ts';
import type { ControlChannel } from './control-channel.ts';
import { createGroup, groupBytes } from './create-group.ts';
import type { MeshCentralPlace } from './meshcentral-place.ts';
import { runOnNodes } from './run-on-nodes.ts';

/** The agent for Linux from the package of MeshCentral, not installed as a service. */
export async function startMeshAgent(
  control: ControlChannel,
  { directory, dataDir, port }: MeshCentralPlace,
): Promise<RunningAgent> {
  const group = await createGroup(control);
  const folder = join(dataDir, 'own-agent');
  await mkdir(folder);
  const program = join(folder, 'meshagent');
  await copyFile(join(directory, 'node_modules/meshcentral/agents/meshagent_x86-64'), program);
  await chmod(program, 0o755);
  const lines = [
    ...['MeshName=bench', 'MeshType=2', `MeshID=0x${groupBytes(group).toString('hex')}`],
    `ServerID=${await serverId(dataDir)}`,
    `MeshServer=wss://127.0.0.1:${port}/agent.ashx`,
  ];
  await writeFile(`${program}.msh`, `${lines.join('\r\n')}\r\n`);
  const child = spawn(program, ['run'], { cwd: folder, stdio: 'ignore' });
  let nodeId = '';
  await until(
    async () => {
      nodeId = (await control.listNodes()).find(({ conn = 0 }) => (conn & 1) === 1)?._id ?? '';
      return nodeId !== '';
    },
    { what: 'agent connected', everyMs: 100, limitMs: 30_000 },
  );
  return {
    pid: child.pid ?? 0,
    runEcho: () => runOnNodes(control, [nodeId], 'echo bench'),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** SHA-384 of the public key of the certificate by which agents know the server. */
async function serverId(dataDir: string): Promise<string> {
  const file = await readFile(join(dataDir, 'agentserver-cert-public.crt'));
  const key = new X509Certificate(file).publicKey.export({ type: 'pkcs1', format: 'der' });
  return createHash('sha384').update(key).digest('hex').toUpperCase();
}
