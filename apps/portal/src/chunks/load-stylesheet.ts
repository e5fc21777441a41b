import { fetchChunk, forgetChunk } from './fetch-chunk.ts';

const applied = new Map<string, Promise<void>>();

const MAX_ATTEMPTS = 3;

/** Adds the stylesheet to the document once, and resolves when it is applied. */
export function loadStylesheet(url: string): Promise<void> {
  const current = applied.get(url);
  if (current !== undefined) return current;
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  const isThere = [...links].some(({ href }) => href === url);
  const request = isThere ? Promise.resolve() : apply(url);
  applied.set(url, request);
  return request;
}

async function apply(url: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !(await addLink(url)); attempt += 1) {
    forgetChunk(url);
    await fetchChunk(url);
  }
}

function addLink(url: string): Promise<boolean> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = url;
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve(true));
    link.addEventListener('error', () => {
      link.remove();
      resolve(false);
    });
    document.head.append(link);
  });
}
