import { chunksReplaced } from './chunk-state.ts';
import { alreadyLoaded, fetchChunk } from './fetch-chunk.ts';
import { filesOfImport, type ImportInHost } from './files-of-import.ts';
import { loadStylesheet } from './load-stylesheet.ts';

/** What browsers throw for a module that was not received, as opposed to one that throws. */
const NOT_RECEIVED = /dynamically imported module|Importing a module script failed/i;

let isStarted = false;

/**
 * Every `import()` of the build calls this function (`build/import-with-retries.ts`). It pends
 * until all files of the import are available, and rejects only if a module throws.
 *
 * @param files The chunk, its static imports, and their stylesheets, relative to the base, or where these are listed.
 */
export async function loadChunk<Module>(
  importModule: () => Promise<Module>,
  files: readonly string[] | ImportInHost = [],
): Promise<Module> {
  if (!isStarted) {
    isStarted = true;
    alreadyLoaded(filesOfDocument());
  }
  const paths = 'host' in files ? await filesOfImport(files) : files;
  const urls = paths.map((file) => new URL(import.meta.env.BASE_URL + file, location.href).href);
  await Promise.all(urls.map((url) => fetchChunk(url)));
  const styles = urls.filter((url) => url.endsWith('.css'));
  await Promise.all(styles.map((url) => loadStylesheet(url)));
  try {
    return await importModule();
  } catch (error) {
    if (!(error instanceof TypeError) || !NOT_RECEIVED.test(error.message)) throw error;
    // Without an HTTP cache, the file was requested again and not received. This document cannot
    // import it any more.
    console.error(error);
    chunksReplaced();
    return new Promise(() => undefined);
  }
}

function filesOfDocument(): string[] {
  const scripts = document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]');
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]');
  return [...[...scripts].map(({ src }) => src), ...[...links].map(({ href }) => href)];
}
