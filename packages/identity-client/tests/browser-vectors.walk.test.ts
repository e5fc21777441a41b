import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestBrowser, type TestBrowser } from './support/test-browser.ts';
import { compareBrowserCase } from './support/compare-browser-case.ts';
import { intendedAspects } from './support/intended-differences.ts';
import { runBrowserCase } from './support/run-browser-case.ts';
import { vectorCases } from './support/vector-case.ts';

/** Event socket cases run in Node with a fake clock: see event-vectors.test.ts. */
const cases = vectorCases.filter(
  ({ env, id }) => env === 'browser' && !id.startsWith('browser.event.'),
);
let testBrowser: TestBrowser;

beforeAll(async () => {
  testBrowser = await openTestBrowser();
});

afterAll(async () => {
  await testBrowser[Symbol.asyncDispose]();
});

test.each(cases.map((entry) => [entry.id, entry] as const))(
  '%s: the same in Chromium as recorded, but for what differences.json lists',
  async (id, entry) => {
    const mismatches = compareBrowserCase(entry, await runBrowserCase(testBrowser, entry));
    const found = mismatches.map(({ aspect }) => aspect).toSorted();
    expect({ differs: found, mismatches }).toEqual({
      differs: intendedAspects(id),
      mismatches,
    });
  },
);
