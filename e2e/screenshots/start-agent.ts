import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PortalClient } from '../../bench/support/portal-client.ts';

const CONNECTED_MS = 60_000;

interface NewAgent {
  readonly serialNumber: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A real agent, connected. */
export async function startAgent(
  admin: PortalClient,
  url: string,
  { serialNumber, env }: NewAgent,
): Promise<AsyncDisposable & { readonly deviceId: string }> {
  await using resources = new AsyncDisposableStack();
  const stateDir = await mkdtemp(join(tmpdir(), 'deviceportal-agent-'));
  resources.defer(() => rm(stateDir, { recursive: true, force: true }));
  const claim = (await admin.mutate('devices.createClaim', { uses: 1 })) as { token: string };
  const agent = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../apps/agent/src/main.ts'),
      ...['run', '--server', url, '--state-dir', stateDir, '--serial', serialNumber],
    ],
    {
      env: {
        ...process.env,
        DEVICEPORTAL_AGENT_CLAIM: claim.token,
        ...env,
      },
      stdio: 'ignore',
    },
  );
  resources.defer(() => void agent.kill());
  for (const endsAtMs = Date.now() + CONNECTED_MS; Date.now() < endsAtMs;) {
    await setTimeout(500);
    const found = (await admin
      .query('devices.get', { device: serialNumber })
      .catch(() => undefined)) as { id: string; connectivity: string } | undefined;
    if (found === undefined || !['online', 'degraded'].includes(found.connectivity)) continue;
    const kept = resources.move();
    return { deviceId: found.id, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }
  throw new Error('the agent did not connect');
}
