import type { StateKind } from '../../ui/status-of.tsx';

export interface PaletteItem {
  readonly id: string;
  /** Items of one section stand together under it. */
  readonly section: string;
  readonly label: string;
  readonly detail: string;
  readonly state?: { readonly kind: StateKind; readonly value: string } | undefined;
  readonly at?: string | null;
  /** Where it lives; absent for what does something here. */
  readonly href?: string;
  readonly act: () => void;
}
