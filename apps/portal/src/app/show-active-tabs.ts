import type { AnyRouter } from '@tanstack/react-router';

/**
 * Scrolls tab bars to their active tab after each navigation. The scroll restoration of the router
 * includes tab bars, which on a narrow screen then show other tabs.
 */
export function showActiveTabs(router: AnyRouter): void {
  router.subscribe('onRendered', () => {
    for (const tab of document.querySelectorAll<HTMLElement>('[role=tab][aria-selected=true]')) {
      const bar = tab.closest('[role=tablist]');
      if (bar !== null) scrollInto(bar, tab);
    }
  });
}

function scrollInto(bar: Element, tab: Element): void {
  const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (inner.left < outer.left) bar.scrollBy({ left: inner.left - outer.left });
  else if (inner.right > outer.right) bar.scrollBy({ left: inner.right - outer.right });
}
