import { defineConfig } from 'vitest/config';
import { leftOutOfRun } from '../scripts/left-out-of-run.ts';
import { isThorough } from './support/is-thorough.ts';
import { isCI } from './support/is-ci.ts';
import { PAGE_TIMEOUT_MS } from './support/timeouts.ts';

/**
 * Projects: journeys on one shared portal; every screen in all appearances, the layout, and sign-in
 * on another one; and walks on portals with other settings that are cut and killed. Each project
 * starts its own portals, so that they can run side by side. A thorough run adds the walks and the
 * appearances that complete the pairs of a situation.
 */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    // Full messages, also at the end of a log, where no difference is shown.
    chaiConfig: { truncateThreshold: 1_000 },
    testTimeout: isCI ? 180_000 : 60_000,
    hookTimeout: isCI ? 240_000 : 120_000,
    expect: { poll: { timeout: PAGE_TIMEOUT_MS } },
    // Shared machines can stall for longer than any timeout here. Retried tests are reported as
    // such.
    retry: isCI ? 1 : 0,
    reporters: ['default'],
    // The same order on every machine, because a file can affect the files after it.
    cache: false,
    // The files of a project share users, devices, and two cores.
    fileParallelism: false,
    globalSetup: ['../scripts/use-scratch-folder.ts'],
    // One browser for all files of a project.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared-portal',
          include: ['tests/*/*.e2e.ts'],
          exclude: [
            ...leftOutOfRun,
            'tests/{looks,own-portal}/*',
            ...(isThorough ? [] : ['tests/*/*.walk.e2e.ts']),
          ],
          globalSetup: ['./support/start-portal.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'looks',
          // Layout, keyboard, and sign-in are here because the first project takes longer anyway.
          include: [isThorough ? 'tests/looks/accessibility.e2e.ts' : 'tests/looks/*.e2e.ts'],
          globalSetup: ['./support/start-portal.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'own-portals',
          include: ['tests/own-portal/*.walk.e2e.ts'],
          // For the servers that share one.
          globalSetup: ['../apps/server/tests/support/database/start-test-database.ts'],
        },
      },
    ],
  },
});
