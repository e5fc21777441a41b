import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './database/database.ts';

/** The registry of `/metrics`, with the platform's own metrics. Slices add theirs to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  readonly jobSeconds: Histogram<'job' | 'outcome'>;
  readonly logErrors: Counter;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'deviceportal_http_request_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    jobSeconds: new Histogram({
      name: 'deviceportal_job_seconds',
      help: 'Duration of background jobs.',
      labelNames: ['job', 'outcome'],
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
      registers: [registry],
    }),
    logErrors: new Counter({
      name: 'deviceportal_unexpected_errors_total',
      help: 'Requests and jobs that failed with an unexpected error.',
      registers: [registry],
    }),
  };
}

export function measureDatabase(metrics: Metrics, database: Database): void {
  const gauge = new Gauge({
    name: 'deviceportal_database_connections',
    help: 'Database connections of this process.',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool;
      gauge.set({ state: 'open' }, totalCount);
      gauge.set({ state: 'idle' }, idleCount);
      gauge.set({ state: 'waiting' }, waitingCount);
    },
  });
}
