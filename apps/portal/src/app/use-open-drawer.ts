import type { AppLayoutProps } from '@cloudscape-design/components/app-layout';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { isTyping } from '../ui/is-typing.ts';

export interface OpenDrawer {
  readonly id: string | null;
  /** Opens or closes a drawer by a key or from the top bar. */
  readonly toggle: (id: string) => void;
  /** Follows the triggers and close buttons of the layout, which manage the focus themselves. */
  readonly follow: (id: string | null) => void;
}

/**
 * The open drawer of the layout. A drawer that a key or the top bar opens takes the focus. Escape
 * closes a drawer, and returns the focus to where it was.
 */
export function useOpenDrawer(layout: RefObject<AppLayoutProps.Ref | null>): OpenDrawer {
  const [id, setId] = useState<string | null>(null);
  const origin = useRef<Element | null>(null);
  const isOurs = useRef(false);
  const follow = useCallback((next: string | null): void => {
    isOurs.current = false;
    if (next !== null) origin.current = document.activeElement;
    setId(next);
  }, []);
  const toggle = useCallback(
    (wanted: string): void => {
      isOurs.current = true;
      const isInDrawer = id !== null && drawerOf(id)?.contains(document.activeElement) === true;
      if (!isInDrawer) origin.current = document.activeElement;
      setId(id === wanted ? null : wanted);
    },
    [id],
  );
  useEffect(() => {
    if (!isOurs.current) return undefined;
    if (id === null) {
      focusOn(origin.current);
      return undefined;
    }
    // The layout shows the drawer in a render of its own.
    const frame = requestAnimationFrame(() => layout.current?.focusActiveDrawer());
    return () => cancelAnimationFrame(frame);
  }, [id, layout]);
  useEffect(() => {
    if (id === null) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target)) return;
      if (drawerOf(id)?.contains(event.target as Node) === true) toggle(id);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [id, toggle]);
  return { id, toggle, follow };
}

/** Cloudscape gives the element of a drawer the ID of the drawer. */
const drawerOf = (id: string): HTMLElement | null => document.querySelector(`aside#${id}`);

/** Focuses the content of the page if the element is not on it anymore, or nothing was focused. */
function focusOn(element: Element | null): void {
  const isThere =
    element instanceof HTMLElement && element !== document.body && element.checkVisibility();
  const target = isThere ? element : document.getElementById('main-content');
  target?.focus({ preventScroll: true });
}
