import { Counter, Gauge } from 'prom-client';
import type { Database } from '../platform/database/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countOpenMessages } from './data/message-queries.ts';

/** Metrics of message delivery. */
export interface MessageMetrics {
  /** Messages that ended, by `sent`, `refused`, `uncertain`, `expired`, or `superseded`. */
  readonly ended: Counter<'channel' | 'kind' | 'outcome'>;
  readonly failedAttempts: Counter<'channel' | 'reason'>;
}

export function createMessageMetrics(metrics: Metrics, database: Database): MessageMetrics {
  const registers = [metrics.registry];
  const waiting = new Gauge({
    name: 'deviceportal_messages_waiting',
    help: 'Messages to people that are on their way or wait for another attempt.',
    registers,
    async collect() {
      // An unavailable database has its own metric; the other metrics must still be collected.
      await countOpenMessages(database.orm).then(
        (count) => waiting.set(count),
        () => waiting.set(Number.NaN),
      );
    },
  });
  return {
    ended: new Counter({
      name: 'deviceportal_messages_total',
      help: 'Messages to people that have ended, by what became of them.',
      labelNames: ['channel', 'kind', 'outcome'],
      registers,
    }),
    failedAttempts: new Counter({
      name: 'deviceportal_message_failed_attempts_total',
      help: 'Attempts to hand a message over that failed, by the answer of the other side.',
      labelNames: ['channel', 'reason'],
      registers,
    }),
  };
}
