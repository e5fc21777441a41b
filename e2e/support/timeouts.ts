import { isCI } from './is-ci.ts';

/** Timeout for anything to appear on a page. Longer on CI machines, which can be slow. */
export const PAGE_TIMEOUT_MS = isCI ? 45_000 : 15_000;
/** Timeout for anything that requires a device. */
export const DEVICE_TIMEOUT_MS = 2 * PAGE_TIMEOUT_MS;
