import type { Database } from '../platform/database/database.ts';
import { listOpenPages } from './data/web-page-queries.ts';
import type { WebPageLines } from './web-page-lines.ts';

/** On servers that serve devices: tells devices which sessions are wanted. They end all others. */
export async function keepWebPages({
  database,
  webPageLines,
}: {
  readonly database: Pick<Database, 'orm'>;
  readonly webPageLines: Pick<WebPageLines, 'send'>;
}): Promise<void> {
  for (const { id: session, deviceId, state } of await listOpenPages(database.orm))
    webPageLines.send(deviceId, { kind: 'keep', session, isOpen: state === 'open' });
}
