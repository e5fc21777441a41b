import { useEffect, useRef } from 'react';

const GIVE_UP_MS = 3_000;

/**
 * Moves the focus to the heading of the new page as soon as it exists. The first page keeps the
 * initial focus.
 */
export function useFocusOnNavigation(pathname: string): void {
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return undefined;
    previous.current = pathname;
    const startedAtMs = performance.now();
    let frame = 0;
    const focusHeading = (): void => {
      const heading = document.querySelector<HTMLElement>('#main-content h1');
      if (heading === null) {
        if (performance.now() - startedAtMs < GIVE_UP_MS)
          frame = requestAnimationFrame(focusHeading);
        return;
      }
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    frame = requestAnimationFrame(focusHeading);
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
}
