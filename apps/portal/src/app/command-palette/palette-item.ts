import type { StateKind } from '../../ui/status-of.tsx';

export interface PaletteItem {
  readonly id: string;
  /** The heading under which items are grouped. */
  readonly section: string;
  readonly label: string;
  readonly detail: string;
  /** Why it matches without containing the text. */
  readonly why?: string | undefined;
  readonly state?: { readonly kind: StateKind; readonly value: string } | undefined;
  readonly at?: string | null;
  /** The target page. Absent for an action on this page. */
  readonly href?: string;
  readonly act: () => void;
}
