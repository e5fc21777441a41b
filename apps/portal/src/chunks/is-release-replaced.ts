/** Milliseconds. While servers of two releases run, a new document can need files of either. */
const LEAST_AGE_MS = 4_000;
const RETRY_MS = 2_000;

/** Whether the server now delivers another release than the one in this document. */
export async function isReleaseReplaced(): Promise<boolean> {
  const page = await fetchPage();
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return page !== null && entry !== null && !page.includes(new URL(entry.src).pathname);
}

/**
 * Loads the address of this tab as a new document. Waits for a server first, because a browser
 * shows its own error page without one.
 */
export async function loadNewRelease(): Promise<void> {
  await waited(Math.max(0, LEAST_AGE_MS - performance.now()));
  while ((await fetchPage()) === null) await waited(RETRY_MS);
  location.reload();
}

const waited = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function fetchPage(): Promise<string | null> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}
