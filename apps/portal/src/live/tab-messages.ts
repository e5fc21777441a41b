import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import type { ConnectionTarget } from './mqtt-connection.ts';

/** Messages from a tab to the hub that holds the connection of all tabs of one user. */
export type ToHub =
  /** All watches of this tab. */
  | { readonly kind: 'watches'; readonly watches: readonly Watch[] }
  /** The response to `wanted`. Null if the tab has no session at present. */
  | { readonly kind: 'target'; readonly target: ConnectionTarget | null }
  /** The tab became visible or the network is back: check the connection. */
  | { readonly kind: 'awake' }
  | { readonly kind: 'bye' };

export type FromHub =
  /** The hub needs a signed URL, because the signing keys stay in the tabs. */
  | { readonly kind: 'wanted' }
  /** `resumed`: connected again, and changes may have been missed. */
  | { readonly kind: 'live'; readonly connected: boolean; readonly resumed: boolean }
  | { readonly kind: 'changes'; readonly changes: readonly LiveChange[] };
