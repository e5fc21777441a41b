import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import type { ConnectionTarget } from './mqtt-connection.ts';

/** From a tab to the hub that holds the connection for all tabs of one person. */
export type ToHub =
  /** Everything that this tab looks at. */
  | { readonly kind: 'watches'; readonly watches: readonly Watch[] }
  /** The answer to `wanted`; null where the tab has no session just now. */
  | { readonly kind: 'target'; readonly target: ConnectionTarget | null }
  /** The browser came back to this tab or to the network: is the line still alive? */
  | { readonly kind: 'awake' }
  | { readonly kind: 'bye' };

export type FromHub =
  /** The hub needs a signed URL: the keys to sign with stay in the tabs. */
  | { readonly kind: 'wanted' }
  /** `resumed`: connected again, and something may have been missed meanwhile. */
  | { readonly kind: 'live'; readonly connected: boolean; readonly resumed: boolean }
  | { readonly kind: 'changes'; readonly changes: readonly LiveChange[] };
