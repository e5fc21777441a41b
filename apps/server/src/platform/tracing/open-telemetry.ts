import { randomUUID } from 'node:crypto';
import type { TelemetryConfig } from '../config/config.ts';
import { loadOptional } from '../load-optional.ts';
import type { Logger } from '../logging.ts';
import type { ExportedMetric, TelemetryPackage } from './telemetry-package.ts';

const TRACE_INTERVAL_MS = 5_000;
const METRICS_INTERVAL_MS = 30_000;
/** A collector that is down fails every few seconds. */
const LOG_QUIET_MS = 60_000;

export interface OpenTelemetryOptions {
  readonly config: TelemetryConfig;
  readonly logger: Pick<Logger, 'warn'>;
  readonly readMetrics: () => Promise<readonly ExportedMetric[]>;
}

/**
 * Exports traces and metrics from now on. A collector that does not answer neither delays nor stops
 * anything: what it does not take is dropped.
 *
 * @throws StartError if the package that does it is not installed
 */
export async function openTelemetry({
  config,
  logger,
  readMetrics,
}: OpenTelemetryOptions): Promise<AsyncDisposable> {
  const { startTelemetry } = await loadOptional<TelemetryPackage>(
    '@deviceportal/telemetry',
    'DEVICEPORTAL_OTLP_ENDPOINT',
  );
  let loggedMs = Number.NEGATIVE_INFINITY;
  return startTelemetry({
    ...config,
    service: { name: 'device-portal', version: '0.1.0', instance: randomUUID() },
    traceIntervalMs: TRACE_INTERVAL_MS,
    metricsIntervalMs: METRICS_INTERVAL_MS,
    readMetrics,
    onFault: (error) => {
      if (performance.now() - loggedMs < LOG_QUIET_MS) return;
      loggedMs = performance.now();
      logger.warn({ err: error }, 'export of traces and metrics failed');
    },
  });
}
