import type { RunSigning } from '../commands/signing/run-signing.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { FileLinks } from './sign-file-urls.ts';

export interface DeviceFilesDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly signing: RunSigning;
  readonly fileLinks: FileLinks;
  /** How long the content of a folder is awaited. */
  readonly answerMs?: number;
}

export interface FileContentDeps extends DeviceFilesDeps {
  readonly contents: FileStore;
}
