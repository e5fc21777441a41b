import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Accessibility violations of a page as one readable line each. Empty for a page without
 * violations.
 */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await source);
  // A link that is half under a bar that stays in view is not smaller.
  await page.evaluate(() => scrollTo(0, 0));
  const results = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly,
        resultTypes: ['violations'],
        // Style sheets of other origins, of which there are none.
        preload: false,
      }),
    tags,
  );
  return results.violations.map(({ id, help, nodes }) => {
    const places = nodes
      .slice(0, 3)
      .map(({ target, html }) => `${target.join(' ')} ${html.slice(0, 200)}`);
    return `${id}: ${help}\n  ${places.join('\n  ')}`;
  });
}
