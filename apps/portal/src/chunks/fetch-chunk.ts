import { chunksReplaced, retryEnded, retryStarted } from './chunk-state.ts';
import { isReleaseReplaced } from './is-release-replaced.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Milliseconds without a byte after which a request is repeated. */
const STALLED_MS = 20_000;

/** A file is requested once, however many imports need it. */
const underWay = new Map<string, Promise<void>>();
const loaded = new Set<string>();

/**
 * Resolves when the browser’s HTTP cache has the complete file, and retries until then. A browser
 * remembers a failed `import()` for the life of the document, so a file is imported only after it
 * was fetched.
 */
export function fetchChunk(url: string): Promise<void> {
  if (loaded.has(url)) return Promise.resolve();
  const current = underWay.get(url);
  if (current !== undefined) return current;
  const request = fetchWithRetries(url).finally(() => underWay.delete(url));
  underWay.set(url, request);
  return request;
}

/** Marks files that the document has loaded without this module. */
export function alreadyLoaded(urls: Iterable<string>): void {
  for (const url of urls) loaded.add(url);
}

/** The next call fetches the file again. */
export function forgetChunk(url: string): void {
  loaded.delete(url);
}

async function fetchWithRetries(url: string): Promise<void> {
  const isReady = isFirstScreen() && (await preload(url));
  for (let attempt = 0; !isReady; attempt += 1) {
    const result = await tryFetch(url, attempt);
    if (result === 'complete') break;
    retryStarted(url);
    if (result === 'missing' && (await isReleaseReplaced())) chunksReplaced();
    await pauseBefore(attempt + 1);
  }
  loaded.add(url);
  retryEnded(url);
}

/** Until then, a document that cannot import a file is loaded again without a loss. */
const isFirstScreen = (): boolean => document.getElementById('root')?.childElementCount === 0;

/**
 * Loads a file into memory, from where `import()` takes it: reading the files of a first screen as in `tryFetch` costs a
 * slow machine a third of a second. Modules are also compiled while they are received, and not on the thread of the page.
 */
function preload(url: string): Promise<boolean> {
  const link = document.createElement('link');
  if (url.endsWith('.js') && link.relList.supports('modulepreload')) link.rel = 'modulepreload';
  else {
    link.rel = 'preload';
    link.as = url.endsWith('.css') ? 'style' : url.endsWith('.json') ? 'fetch' : 'script';
  }
  link.crossOrigin = '';
  link.href = url;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), STALLED_MS);
    const end = (isLoaded: boolean): void => {
      clearTimeout(timer);
      resolve(isLoaded);
    };
    link.addEventListener('load', () => end(true));
    link.addEventListener('error', () => end(false));
    document.head.append(link);
  });
}

async function tryFetch(url: string, attempt: number): Promise<'complete' | 'missing' | 'failed'> {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), STALLED_MS);
  try {
    const cache = attempt === 0 ? 'default' : 'reload';
    const response = await fetch(url, { cache, signal: abort.signal });
    // A proxy can answer with a page.
    const isFile = !/html/.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isFile) return response.status === 404 ? 'missing' : 'failed';
    const reader = response.body?.getReader();
    while (reader !== undefined && !(await reader.read()).done) {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), STALLED_MS);
    }
    return 'complete';
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** Ends early when the browser is online again. */
async function pauseBefore(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
  const ms = longest * (0.75 + Math.random() / 4);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });
}
