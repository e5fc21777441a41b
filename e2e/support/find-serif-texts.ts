import type { Page } from 'playwright-core';

/**
 * Texts whose computed font ends in no sans-serif or monospace family, so that the browser’s own
 * serif is used: each with its element.
 */
export async function findSerifTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (text === '' || element === null || !element.checkVisibility()) continue;
      const { fontFamily } = getComputedStyle(element);
      if (/(^|, *)(sans-serif|monospace|system-ui)$/.test(fontFamily)) continue;
      found.add(`${element.tagName} ${element.className}: “${text.slice(0, 60)}” in ${fontFamily}`);
    }
    return [...found];
  });
}
