import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { GatewayMeter } from './gateway-dependencies.ts';

/** Metrics of the messages that devices send, and of those that were rejected or delayed. */
export function createDeviceMetrics({ registry }: Pick<Metrics, 'registry'>): GatewayMeter {
  const registers = [registry];
  const entries = new Counter({
    name: 'deviceportal_device_journal_entries_total',
    help: 'Journal entries written.',
    registers,
  });
  const writing = new Histogram({
    name: 'deviceportal_device_journal_batch_seconds',
    help: 'Time to write a batch of journal entries.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const heartbeats = new Counter({
    name: 'deviceportal_device_heartbeats_total',
    help: 'Heartbeats written.',
    registers,
  });
  const refused = new Counter({
    name: 'deviceportal_device_refusals_total',
    help: 'Rejected attempts of devices, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const overLimit = new Counter({
    name: 'deviceportal_device_over_limit_total',
    help: 'Messages of devices beyond their limits, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const samples = new Counter({
    name: 'deviceportal_device_metric_samples_total',
    help: 'Samples of metrics that were stored.',
    registers,
  });
  const storing = new Histogram({
    name: 'deviceportal_device_metric_batch_seconds',
    help: 'Time to store a batch of messages with metrics.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const skippedSamples = new Counter({
    name: 'deviceportal_device_metric_samples_skipped_total',
    help: 'Samples of metrics that were not stored, by reason: expired, or queue-full (sent again).',
    labelNames: ['reason'],
    registers,
  });
  const queued = new Counter({
    name: 'deviceportal_device_queue_messages_total',
    help: 'Messages of the device queue, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const dropped = new Counter({
    name: 'deviceportal_device_messages_dropped_total',
    help: 'Messages to devices that AWS IoT did not take in time.',
    registers,
  });
  return {
    journalEntries: (count, seconds) => {
      entries.inc(count);
      writing.observe(seconds);
    },
    heartbeats: (count) => heartbeats.inc(count),
    refused: (reason) => refused.inc({ reason }),
    overLimit: (kind, count) => overLimit.inc({ kind }, count),
    storedSamples: (count, seconds) => {
      samples.inc(count);
      storing.observe(seconds);
    },
    skippedSamples: (reason, count) => skippedSamples.inc({ reason }, count),
    queued: (outcome) => queued.inc({ outcome }),
    dropped: () => dropped.inc(),
  };
}
