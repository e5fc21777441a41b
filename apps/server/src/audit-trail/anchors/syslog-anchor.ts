import { createSyslogSender, type SyslogSettings } from '../../platform/syslog.ts';
import { blockLine } from './anchor-lines.ts';
import type { AnchorTarget } from './anchor-target.ts';

/** Sends blocks as syslog messages with the block as JSON, which is ASCII. */
export function createSyslogAnchor(settings: SyslogSettings): AnchorTarget {
  const send = createSyslogSender(settings);
  return {
    name: 'syslog',
    everyMs: 0,
    newestOnly: false,
    deliver: (blocks) =>
      send(
        blocks.map((block) => ({
          at: block.sealedAt,
          kind: 'audit-block',
          text: blockLine(block),
        })),
      ),
  };
}
