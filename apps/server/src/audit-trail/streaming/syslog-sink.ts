import { createSyslogSender, type SyslogSettings } from '../../platform/syslog.ts';
import type { StreamSink } from './stream-sink.ts';
import { streamLine } from './streamed-event.ts';

/** Events as syslog messages (RFC 5424) of the kind `audit-event`, each with the event as JSON. */
export function createSyslogSink(settings: SyslogSettings): StreamSink {
  const send = createSyslogSender(settings);
  return {
    name: 'syslog',
    send: (events) =>
      send(
        events.map((event) => ({
          // Without an event, there is no time of its own.
          at: event.event?.at ?? '-',
          kind: 'audit-event',
          text: streamLine(event),
        })),
      ),
  };
}
