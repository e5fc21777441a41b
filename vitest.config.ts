import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Messages name what was there, also at the end of a log, where no difference is drawn.
    chaiConfig: { truncateThreshold: 1_000 },
    globalSetup: ['./apps/server/tests/support/start-test-database.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Only where nobody watches, and marked in the list: a machine that stood still is not the change's fault.
    retry: process.env['CI'] ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'packages/*/{src,tests}/**/*.test.ts',
            'apps/{server,agent}/{src,tests}/**/*.test.ts',
            'apps/portal/src/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
    ],
  },
});
