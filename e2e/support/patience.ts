import { isUnwatched } from './is-unwatched.ts';

/** How long anything on a page may take to appear. Where nobody watches, a machine that stands still is waited for. */
export const PATIENCE_MS = isUnwatched ? 45_000 : 15_000;
/** What a device has to do first may take. */
export const DEVICE_PATIENCE_MS = 2 * PATIENCE_MS;
