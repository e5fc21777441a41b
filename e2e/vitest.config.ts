import { defineConfig } from 'vitest/config';
import { isThorough } from './support/is-thorough.ts';
import { isCI } from './support/is-ci.ts';
import { PATIENCE_MS } from './support/patience.ts';

/** What every screen looks like, shell, keyboard and signing in; the rest of the first project takes longer anyway. */
const looks = ['tests/accessibility.e2e.ts', 'tests/{keyboard,shell,sign-in*}.e2e.ts'];

/**
 * Journeys on one portal that all share; every screen in the looks there are, the shell and signing in, on another; walks
 * on portals that are set up otherwise, cut and killed. Each project brings its portals, so they can run side by side.
 * A thorough run plays what the ordinary one leaves out: the walks, and the looks beyond its choice.
 */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    // Messages name what was there, also at the end of a log, where no difference is drawn.
    chaiConfig: { truncateThreshold: 1_000 },
    testTimeout: isCI ? 180_000 : 60_000,
    hookTimeout: isCI ? 240_000 : 120_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Shared machines stall for longer than any wait here: what failed once is tried again, and marked as such.
    retry: isCI ? 1 : 0,
    reporters: ['default'],
    // The same order on every machine: what a file leaves behind is met by the same ones after it.
    cache: false,
    // The files of a project share people and devices, or the machine's two cores.
    fileParallelism: false,
    globalSetup: ['../scripts/use-scratch-folder.ts'],
    // One browser for all of them.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared-portal',
          include: [isThorough ? 'tests/*.walk.e2e.ts' : 'tests/*.e2e.ts'],
          exclude: isThorough ? [] : [...looks, 'tests/*.walk.e2e.ts'],
          globalSetup: ['./support/start-portal.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'looks',
          include: isThorough ? looks.slice(0, 1) : looks,
          globalSetup: ['./support/start-portal.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'own-portals', include: ['tests/own-portal/*.walk.e2e.ts'] },
      },
    ],
  },
});
