import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowserStage, type BrowserStage } from './support/browser-stage.ts';
import { compareBrowserCase } from './support/compare-browser-case.ts';
import { intendedAspects } from './support/intended-differences.ts';
import { runBrowserCase } from './support/run-browser-case.ts';
import { vectorCases } from './support/vector-case.ts';

/** Event socket cases run in Node with a fake clock: see event-vectors.test.ts. */
const cases = vectorCases.filter(
  ({ env, id }) => env === 'browser' && !id.startsWith('browser.event.'),
);
let stage: BrowserStage;

beforeAll(async () => {
  stage = await openBrowserStage();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test.each(cases.map((entry) => [entry.id, entry] as const))(
  '%s: the same in Chromium as recorded, but for what differences.json lists',
  async (id, entry) => {
    const mismatches = compareBrowserCase(entry, await runBrowserCase(stage, entry));
    const found = mismatches.map(({ aspect }) => aspect).toSorted();
    expect({ differs: found, mismatches }).toEqual({
      differs: intendedAspects(id),
      mismatches,
    });
  },
);
