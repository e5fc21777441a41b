import type { RunSigning } from '../commands/signing/run-signing.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { WebPageLines } from './web-page-lines.ts';

export interface WebPageDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly signing: RunSigning;
  readonly webPageLines: Pick<WebPageLines, 'send'>;
  /** The origin of a session by its label; null if no origin is set up. */
  readonly webPageOrigin: ((label: string) => string) | null;
}
