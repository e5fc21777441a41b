import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { spawnPortal } from './spawn-portal.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string;
    /** Folder of the browser sessions between test files. */
    sessionDir: string;
  }
}

/** Number of devices from which a rollout requires approval. */
export const APPROVAL_DEVICES = 20;

/**
 * Starts the whole product once for all browser tests: database, broker, a real agent, and a small
 * fleet.
 */
export default async function startPortal(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env['DEVICEPORTAL_E2E_URL'];
  const sessionDir = await mkdtemp(join(tmpdir(), 'deviceportal-sessions-'));
  project.provide('sessionDir', sessionDir);
  if (running) {
    project.provide('portalUrl', running);
    return () => rm(sessionDir, { recursive: true, force: true });
  }
  const portal = await spawnPortal(['--fleet', '40'], {
    DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
    // For receivers of webhooks. Addresses, such as 127.0.0.1, remain internal.
    DEVICEPORTAL_ALERT_INTERNAL_HOSTS: 'localhost',
    // The fleet is smaller than the default for approvals.
    DEVICEPORTAL_AIR_BLAST_APPROVAL_DEVICES: String(APPROVAL_DEVICES),
    // Devices would otherwise go offline during tests by their connection pattern.
    DEVICEPORTAL_AGENT_RHYTHM: 'off',
  });
  project.provide('portalUrl', portal.url);
  return async () => {
    await portal[Symbol.asyncDispose]();
    await rm(sessionDir, { recursive: true, force: true });
  };
}
