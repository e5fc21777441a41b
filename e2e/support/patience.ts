import { isCI } from './is-ci.ts';

/** Timeout for anything to appear on a page. Longer on CI machines, which can be slow. */
export const PATIENCE_MS = isCI ? 45_000 : 15_000;
/** Timeout for anything that requires a device. */
export const DEVICE_PATIENCE_MS = 2 * PATIENCE_MS;
