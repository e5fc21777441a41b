import type { Viewer } from '../../platform/viewer.ts';

/** The user who started a step, as JSON; empty for planning, which sends nothing. */
export type StoredStarter =
  | (Omit<Viewer, 'signedInAt'> & { readonly signedInAt: Date | string })
  | { readonly userId?: never };
