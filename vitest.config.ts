import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { leftOutOfRun } from './scripts/left-out-of-run.ts';
import { LongestFirst } from './scripts/longest-first.ts';

// CI machines can pause; its limits allow for that.
const isCI = Boolean(process.env['CI']);

const include = [
  'packages/*/{src,tests}/**/*.test.ts',
  'apps/{server,agent}/{src,tests}/**/*.test.ts',
  'apps/portal/{build,src}/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
  'infra/tests/*.test.ts',
  'deploy/tests/*.test.ts',
];
// Without its clients, its tests cannot be loaded; `npm test` says so.
const hasAws = existsSync(new URL('packages/aws/node_modules/@aws-sdk', import.meta.url));
const hasStacks = existsSync(new URL('infra/node_modules/aws-cdk-lib', import.meta.url));
const leftOut = [
  ...leftOutOfRun,
  ...(hasAws ? [] : ['packages/aws/**']),
  ...(hasStacks ? [] : ['infra/**']),
];
const walks = ['{apps,packages}/*/tests/**/*.walk.test.ts', '{deploy,infra}/tests/*.walk.test.ts'];

const identityClient = new URL('packages/identity-client/src/index.ts', import.meta.url);

export default defineConfig({
  test: {
    // It is published built; tests of what uses it load its source.
    alias: { '@deviceportal/identity-client': fileURLToPath(identityClient) },
    // Messages name what was there, also at the end of a log, where no difference is drawn.
    chaiConfig: { truncateThreshold: 1_000 },
    globalSetup: [
      './scripts/use-scratch-folder.ts',
      './apps/server/tests/support/database/start-test-database.ts',
      './apps/server/tests/support/aws/start-test-aws.ts',
    ],
    testTimeout: isCI ? 60_000 : 20_000,
    hookTimeout: isCI ? 120_000 : 60_000,
    // Two cores keep three busy: every one of them waits for programs it has started.
    maxWorkers: 3,
    // Loading the server anew for every file took as long as half of the tests themselves.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Only in CI, and marked in the list: a paused machine is no fault of the change.
    retry: isCI ? 1 : 0,
    projects: [
      { extends: true, test: { name: 'node', include, exclude: [...walks, ...leftOut] } },
      // Repeated kills of programs, thousands of histories, and third-party clients in a browser.
      { extends: true, test: { name: 'walks', include: walks, exclude: leftOut } },
    ],
  },
});
