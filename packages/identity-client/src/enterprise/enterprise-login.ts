import type { PopupSize } from '../popup/open-popup.ts';

export interface EnterpriseLogin {
  /** One of `Protocol`. */
  readonly protocol: string;
  readonly identifier: string;
  /** Whether to open a small window. Default: true. */
  readonly popup?: boolean | undefined;
  readonly position?: PopupSize | undefined;
}
