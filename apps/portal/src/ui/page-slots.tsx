import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { create } from 'zustand';

interface Slots {
  readonly help: ReactNode;
  readonly splitPanel: ReactNode;
  readonly splitPanelOpen: boolean;
  readonly onSplitPanelToggle: ((open: boolean) => void) | undefined;
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly refresh: (() => void) | undefined;
}

export interface Breadcrumb {
  readonly text: string;
  readonly href: string;
}

const empty: Slots = {
  help: null,
  splitPanel: null,
  splitPanelOpen: false,
  onSplitPanelToggle: undefined,
  breadcrumbs: [],
  refresh: undefined,
};

const useSlots = create<Slots>(() => empty);
const change: (part: Partial<Slots>) => void = useSlots.setState;

/** A part that the current page adds to the layout. */
export function usePageSlot<Name extends keyof Slots>(name: Name): Slots[Name] {
  return useSlots((slots) => slots[name]);
}

/**
 * Sets the content of the help panel while this page is shown. Requires a stable element (a module
 * constant or `useMemo`).
 */
export function useHelp(content: ReactNode): void {
  useEffect(() => {
    change({ help: content });
    return () => change({ help: null });
  }, [content]);
}

/** Sets the breadcrumbs between the area and this page. The page’s own name comes last. */
export function useBreadcrumbs(breadcrumbs: readonly Breadcrumb[]): void {
  const key = JSON.stringify(breadcrumbs);
  useEffect(() => {
    change({ breadcrumbs: JSON.parse(key) as Breadcrumb[] });
    return () => change({ breadcrumbs: [] });
  }, [key]);
}

/** The action of the key `r` on this page, if it has its own. */
export const pageRefresh = (): Slots['refresh'] => useSlots.getState().refresh;

/** Sets the action of the key `r` on this page. */
export function useRefresh(refresh: () => void): void {
  useEffect(() => {
    change({ refresh });
    return () => change({ refresh: undefined });
  }, [refresh]);
}

export interface SplitPanelSlot {
  /** A memoized Cloudscape `<SplitPanel>`. */
  readonly panel: ReactNode;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}

/** Sets the split panel while this page is shown. */
export function useSplitPanel({ panel, open, onToggle }: SplitPanelSlot): void {
  // The layout is not rendered again for another handler.
  const toggle = useEffectEvent(onToggle);
  useEffect(() => {
    change({ onSplitPanelToggle: (shown) => toggle(shown) });
    return () => change({ splitPanel: null, splitPanelOpen: false, onSplitPanelToggle: undefined });
  }, []);
  useEffect(() => change({ splitPanel: panel, splitPanelOpen: open }), [panel, open]);
}
