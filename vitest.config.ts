import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['./apps/server/tests/support/start-test-database.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
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
