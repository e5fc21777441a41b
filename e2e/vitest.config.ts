import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    globalSetup: ['./support/start-portal.ts'],
    include: ['tests/**/*.e2e.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One browser at a time: the machine has two cores and the portal runs on them as well.
    fileParallelism: false,
    maxWorkers: 1,
    reporters: ['default'],
  },
});
