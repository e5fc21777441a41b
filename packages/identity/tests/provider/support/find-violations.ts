import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Violations of the accessibility guidelines on a page, as readable lines. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(await source);
  const results = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly,
        resultTypes: ['violations'],
      }),
    tags,
  );
  return results.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(' ')}`,
  );
}
