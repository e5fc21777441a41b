import { Counter, Gauge } from 'prom-client';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { repeat } from '../../platform/process/repeat.ts';
import type { ReadinessBoard } from '../../platform/readiness-board.ts';
import { waitedMsOf } from '../anchors/anchor-lateness.ts';
import { deliverBlocks, type DeliverDeps } from '../anchors/deliver-anchors.ts';
import { repeatDelivery } from '../anchors/repeat-delivery.ts';
import { ensureAnchorProgress, readAnchorStates } from '../data/anchors/anchor-progress-queries.ts';
import type { StreamSources } from './read-streamed-events.ts';
import type { StreamSink } from './stream-sink.ts';
import { streamTarget } from './stream-target.ts';

const LOOK_EVERY_MS = 10_000;
/** A block that waits longer than this is late. */
const LATE_MS = 5 * 60_000;

export interface StreamsDeps extends DeliverDeps, StreamSources {
  readonly sinks: readonly StreamSink[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
}

/** Streams sealed events to all receivers for as long as the server runs, and says where they are late. */
export async function runStreams(
  resources: AsyncDisposableStack,
  deps: StreamsDeps,
): Promise<void> {
  const { sinks, database, logger, metrics } = deps;
  if (sinks.length === 0) return;
  const sent = new Counter({
    name: 'deviceportal_audit_stream_events_total',
    help: 'Events of the audit trail that a receiver accepted, repetitions included.',
    labelNames: ['sink'],
    registers: [metrics.registry],
  });
  for (const sink of sinks) {
    const target = streamTarget(deps, sink, (events) => sent.inc({ sink: sink.name }, events));
    await ensureAnchorProgress(database.orm, target.position);
    repeatDelivery(
      resources,
      async () => (await deliverBlocks(deps, target)) > 0,
      (error) => logger.warn({ err: error, sink: sink.name }, 'audit stream delivery failed'),
    );
  }
  resources.use(
    repeat(createLateWatch(deps), {
      everyMs: LOOK_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'audit stream delivery failed'),
    }),
  );
}

function createLateWatch(deps: StreamsDeps): () => Promise<void> {
  const { sinks, database, clock, logger, metrics, readiness } = deps;
  const part = readiness.note('audit-stream');
  const gauge = new Gauge({
    name: 'deviceportal_audit_stream_waiting_seconds',
    help: 'Age of the oldest block of the audit trail that a receiver has not accepted yet.',
    labelNames: ['sink'],
    registers: [metrics.registry],
  });
  let wasLate = false;
  return async () => {
    const late: string[] = [];
    for (const { name } of sinks) {
      const [state] = await readAnchorStates(database.orm, [`stream-${name}`]);
      const waitedMs = state === undefined ? 0 : waitedMsOf(state, clock());
      gauge.set({ sink: name }, waitedMs / 1_000);
      if (waitedMs > LATE_MS) late.push(`${name}: ${state?.error ?? 'late'}`);
    }
    if (late.length === 0) part.up();
    else part.down(late.join('; '));
    if (late.length > 0 && !wasLate) logger.error({ late }, 'audit stream delivery delayed');
    wasLate = late.length > 0;
  };
}
