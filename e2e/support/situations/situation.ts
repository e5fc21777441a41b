import type { Page } from 'playwright-core';
import type { Fleet } from '../fleet.ts';

/** A screen in one of its states. Selectors avoid text, because it is tested in two languages. */
export interface Situation {
  readonly name: string;
  readonly path: (fleet: Fleet) => string;
  /** Runs before the page is loaded: delays, rejects, or empties responses. */
  readonly before?: (page: Page) => Promise<void>;
  /** Resolves when the state is on screen. */
  readonly reach: (page: Page) => Promise<void>;
  /** Whether it leaves state behind that affects later pages. */
  readonly isAlone?: true;
  /** Whether it is not a page of the portal, so that it follows the settings of the browser. */
  readonly isOutside?: true;
}
