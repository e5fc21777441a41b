import { Gauge } from 'prom-client';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ReadinessBoard } from '../../platform/readiness-board.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { checkAnchors, waitedMsOf } from './anchor-lateness.ts';
import { beginAnchor } from './begin-anchor.ts';
import type { AnchorTarget } from './anchor-target.ts';
import { deliverAnchors, type DeliverDeps } from './deliver-anchors.ts';
import { repeatDelivery } from './repeat-delivery.ts';

const LOOK_EVERY_MS = 10_000;

export interface AnchorsDeps extends DeliverDeps {
  readonly targets: readonly AnchorTarget[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
}

/** Delivers blocks to the places outside for as long as the server runs, and says where they are late. */
export async function runAnchors(
  resources: AsyncDisposableStack,
  deps: AnchorsDeps,
): Promise<void> {
  const { targets, database, logger } = deps;
  if (targets.length === 0) return;
  for (const target of targets) await beginAnchor(database.orm, target);
  for (const target of targets) {
    repeatDelivery(
      resources,
      async () => (await deliverAnchors(deps, target)) > 1,
      (error) => logger.warn({ err: error, target: target.name }, 'audit anchor delivery failed'),
    );
  }
  resources.use(
    repeat(createLateWatch(deps), {
      everyMs: LOOK_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'audit anchor delivery failed'),
    }),
  );
}

function createLateWatch({
  targets,
  database,
  clock,
  logger,
  metrics,
  readiness,
}: AnchorsDeps): () => Promise<void> {
  const part = readiness.note('audit-anchors');
  const gauge = new Gauge({
    name: 'deviceportal_audit_anchor_waiting_seconds',
    help: 'Age of the oldest block of the audit trail that is not yet delivered to an anchor.',
    labelNames: ['target'],
    registers: [metrics.registry],
  });
  let said = '';
  return async () => {
    const now = clock();
    const late: string[] = [];
    for (const anchor of await checkAnchors(database.orm, targets, now)) {
      gauge.set({ target: anchor.target }, waitedMsOf(anchor, now) / 1_000);
      if (anchor.late) late.push(`${anchor.target}: ${anchor.error ?? 'late'}`);
    }
    const line = late.join('; ');
    if (line === '') part.up();
    else part.down(line);
    if (line !== '' && said === '') logger.error({ late }, 'audit anchor delivery delayed');
    said = line;
  };
}
