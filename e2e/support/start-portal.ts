import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { spawnPortal } from './spawn-portal.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    portalUrl: string;
    /** Where the browser sessions of the people are kept between test files. */
    sessionDir: string;
  }
}

/** From so many devices on an AirBlast needs a second person. */
export const APPROVAL_DEVICES = 20;

/** Starts the whole product once for all browser tests: database, broker, a real agent and a small fleet. */
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
    // The fleet here is smaller than what needs a second person by default.
    DEVICEPORTAL_AIR_BLAST_APPROVAL_DEVICES: String(APPROVAL_DEVICES),
    // A device that leaves by its own rhythm would leave in the middle of a test.
    DEVICEPORTAL_AGENT_RHYTHM: 'off',
  });
  project.provide('portalUrl', portal.url);
  return async () => {
    await portal[Symbol.asyncDispose]();
    await rm(sessionDir, { recursive: true, force: true });
  };
}
