import type { DeviceTransport } from '../../gateway/device-transport.ts';
import type { GatewayOptions } from '../../gateway/gateway.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Database } from '../../platform/database/database.ts';
import { TerminalIngest } from '../../terminals/ingest-terminal-messages.ts';
import type { TerminalSender } from '../../terminals/terminal-lines.ts';

/** Terminals on a server that serves devices: sends to them, and takes what they send. */
export function serveTerminals(
  terminalLines: TerminalSender,
  {
    database,
    changes,
    transport,
  }: {
    readonly database: Database;
    readonly changes: ChangeFeed;
    readonly transport: Pick<DeviceTransport, 'publish'>;
  },
): NonNullable<GatewayOptions['terminals']> {
  terminalLines.connect((messages) => transport.publish(messages));
  return (refuse) =>
    new TerminalIngest({
      ...{ database, changes, terminalLines, refuse },
      recent: terminalLines.recent,
    });
}
