import { useEffect, type ReactNode } from 'react';
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

/** What the current page has put into the frame's places. */
export function usePageSlots(): Slots {
  return useSlots();
}

/** The help panel's content while this page is shown. Give it a stable element (a module constant or `useMemo`). */
export function useHelp(content: ReactNode): void {
  useEffect(() => {
    change({ help: content });
    return () => change({ help: null });
  }, [content]);
}

/** What stands between the area and this page in the breadcrumbs; the page's own name comes last. */
export function useBreadcrumbs(breadcrumbs: readonly Breadcrumb[]): void {
  const key = JSON.stringify(breadcrumbs);
  useEffect(() => {
    change({ breadcrumbs: JSON.parse(key) as Breadcrumb[] });
    return () => change({ breadcrumbs: [] });
  }, [key]);
}

/** What the key `r` does on this page. */
export function useRefresh(refresh: () => void): void {
  useEffect(() => {
    change({ refresh });
    return () => change({ refresh: undefined });
  }, [refresh]);
}

export interface SplitPanelSlot {
  /** A Cloudscape `<SplitPanel>`; memoise it. */
  readonly panel: ReactNode;
  readonly open: boolean;
  readonly onToggle: (open: boolean) => void;
}

/** The split panel while this page is shown. */
export function useSplitPanel({ panel, open, onToggle }: SplitPanelSlot): void {
  useEffect(() => {
    change({ splitPanel: panel, splitPanelOpen: open, onSplitPanelToggle: onToggle });
  }, [panel, open, onToggle]);
  useEffect(
    () => () => change({ splitPanel: null, splitPanelOpen: false, onSplitPanelToggle: undefined }),
    [],
  );
}
