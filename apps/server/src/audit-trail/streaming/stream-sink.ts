import type { StreamedEvent } from './streamed-event.ts';

const sinkNames = ['syslog', 'https'] as const;
type SinkName = (typeof sinkNames)[number];

/** A receiver of all events, such as a SIEM. */
export interface StreamSink {
  readonly name: SinkName;
  /**
   * Sends events in their order. After a failure, events that arrived can be sent again.
   *
   * @throws Error if not all events were accepted
   */
  readonly send: (events: readonly StreamedEvent[]) => Promise<void>;
}
