import type { RunSigning } from '../commands/signing/run-signing.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { TerminalLines } from './terminal-lines.ts';

export interface TerminalDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly signing: RunSigning;
  readonly terminalLines: Pick<TerminalLines, 'send'>;
  readonly signRecordingUrl: (sessionId: string, holder: LinkHolder) => string;
}
