import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { architectureDrawing } from './reference/architecture-drawing.ts';
import { configurationPage } from './reference/configuration-page.ts';
import { dataOwnershipPage } from './reference/data-ownership-page.ts';
import { deviceTopicsPage } from './reference/device-topics-page.ts';
import { errorCatalogPage } from './reference/error-catalog-page.ts';
import { identityClientPage } from './reference/identity-client-page.ts';
import type { ReferencePage } from './reference/markdown.ts';
import { openApiPage } from './reference/open-api-page.ts';
import { proceduresPage } from './reference/procedures-page.ts';
import { readDataOwnership } from './reference/read-data-ownership.ts';

/**
 * Generates docs/reference and the diagram in ARCHITECTURE.md from the code. With `--check`, writes
 * nothing and fails if a page is out of date.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs/reference');
const onlyCheck = process.argv.includes('--check');

async function main(): Promise<void> {
  const { createAppRouter } = await import('../apps/server/src/api/app-router.ts');
  // Dependencies are used only when a procedure is called, which does not happen here.
  const router = createAppRouter({} as Parameters<typeof createAppRouter>[0]);
  const ownership = readDataOwnership(root);
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const pages = [
    errorCatalogPage(),
    configurationPage(),
    deviceTopicsPage(),
    proceduresPage(router),
    openApiPage(),
    identityClientPage(),
    dataOwnershipPage(ownership),
    architectureDrawing(architecture, ownership),
  ];
  const stale: string[] = [];
  for (const page of pages) if (await putPage(page)) stale.push(page.file);
  if (onlyCheck && stale.length > 0) {
    process.stdout.write(`Out of date: ${stale.join(', ')}. Run "npm run docs".\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(`${pages.length} reference pages, ${stale.length} changed.\n`);
  }
}

/** @returns whether the page has changed */
async function putPage({ file, text }: ReferencePage): Promise<boolean> {
  const path = join(folder, file);
  const found = await readFile(path, 'utf8').catch(() => '');
  if (found === text) return false;
  if (!onlyCheck) {
    await mkdir(folder, { recursive: true });
    await writeFile(path, text);
  }
  return true;
}

await main();
