import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

export interface RealAgent extends AsyncDisposable {
  /** As `kill -9` does. */
  readonly kill: () => void;
}

/** A real agent with a separate state directory. */
export async function startRealAgent(
  claim: string,
  serialNumber?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RealAgent> {
  const stateDir = await mkdtemp(join(tmpdir(), 'deviceportal-agent-'));
  const agent = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../apps/agent/src/main.ts'),
      ...['run', '--server', inject('portalUrl'), '--state-dir', stateDir],
      ...(serialNumber === undefined ? [] : ['--serial', serialNumber]),
    ],
    { env: { ...process.env, ...env, DEVICEPORTAL_AGENT_CLAIM: claim }, stdio: 'ignore' },
  );
  return {
    kill: () => void agent.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      const exited = once(agent, 'exit');
      if (agent.exitCode === null && agent.signalCode === null) {
        agent.kill('SIGTERM');
        await exited;
      }
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
