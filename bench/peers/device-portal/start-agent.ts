import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { RunningAgent } from '../product.ts';
import { until } from '../until.ts';
import type { OpenPage } from './open-page.ts';
import type { PortalPlace } from './portal-place.ts';

const main = join(import.meta.dirname, '../../../apps/agent/src/main.ts');

/** The agent of this repository, enrolled with a claim. */
export async function startAgent(
  page: OpenPage,
  { dataDir, mqttPort, url }: PortalPlace & { readonly url: string },
): Promise<RunningAgent> {
  const { client } = page;
  const { token } = (await client.mutate('devices.createClaim', {
    device: { serialNumber: null, name: 'own-agent' },
  })) as { token: string };
  const child = spawn(
    process.execPath,
    [
      main,
      'run',
      '--state-dir',
      join(dataDir, 'own-agent'),
      '--mqtt',
      `mqtts://127.0.0.1:${mqttPort}`,
    ],
    {
      env: {
        ...process.env,
        DEVICEPORTAL_AGENT_SERVER: url,
        DEVICEPORTAL_AGENT_CLAIM: token,
      },
      stdio: 'ignore',
    },
  );
  let deviceId = '';
  await until(
    async () => {
      const { rows } = (await client.query('devices.list', {})) as {
        rows: readonly { id: string; connectivity: string }[];
      };
      deviceId = rows.find(({ connectivity }) => connectivity === 'online')?.id ?? '';
      return deviceId !== '';
    },
    { what: 'agent online', everyMs: 100 },
  );
  return {
    pid: child.pid ?? 0,
    runEcho: () => echo(page, deviceId),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function echo({ client, live }: OpenPage, deviceId: string): Promise<number> {
  const startedAt = performance.now();
  const { invocationId: id } = (await client.mutate('commands.run', {
    command: 'shell',
    target: { kind: 'devices', deviceIds: [deviceId] },
    parameters: { script: 'echo bench' },
    idempotencyKey: randomUUID(),
  })) as { invocationId: string };
  // As the screen does: shows output when it is pushed, and requests what it missed after another change.
  await live.until({ kind: 'invocation', id }, async (change) => {
    if (change === 'output') return true;
    const found = (await client.query('commands.getInvocation', { id })) as {
      stdout: { text: string };
    };
    return found.stdout.text !== '';
  });
  return performance.now() - startedAt;
}
