import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TelemetryPackage } from '@deviceportal/server/telemetry-package';
import { produceMetrics } from './produce-metrics.ts';
import { recordCalls } from './record-calls.ts';
import { recordWork } from './record-work.ts';

/** Of one export. Longer than a collector needs, shorter than the interval of metrics. */
const EXPORT_LIMIT_MS = 10_000;
/** Spans in memory. Beyond that, new ones are dropped. */
const QUEUED_SPANS = 2_048;
/** At the end of the server. */
const STOP_LIMIT_MS = 3_000;

/** Exports traces and metrics by OTLP over HTTP, in protobuf. */
export const startTelemetry: TelemetryPackage['startTelemetry'] = (options) => {
  const { endpoint, headers, service, traceShare, metricsIntervalMs, readMetrics } = options;
  setGlobalErrorHandler((error) => options.onFault(asError(error)));
  const resource = resourceFromAttributes({
    'service.name': service.name,
    'service.version': service.version,
    'service.instance.id': service.instance,
  });
  const exported = (signal: string) => ({
    url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}`,
    headers: { ...headers },
    timeoutMillis: EXPORT_LIMIT_MS,
  });
  const tracers = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traceShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(exported('traces')),
        maxQueueSize: QUEUED_SPANS,
        exportTimeoutMillis: EXPORT_LIMIT_MS,
        scheduledDelayMillis: options.traceIntervalMs,
      }),
    ],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(exported('metrics')),
        exportIntervalMillis: metricsIntervalMs,
        exportTimeoutMillis: Math.min(EXPORT_LIMIT_MS, metricsIntervalMs),
        metricProducers: [produceMetrics(readMetrics, new Date())],
      }),
    ],
  });
  const tracer = tracers.getTracer(service.name, service.version);
  const contexts = recordWork(tracer);
  const calls = recordCalls(tracer, { contexts: contexts.store, except: new URL(endpoint).host });
  return {
    async [Symbol.asyncDispose]() {
      calls[Symbol.dispose]();
      contexts[Symbol.dispose]();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, STOP_LIMIT_MS);
      const stopped = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      await Promise.race([stopped, promise]);
      clearTimeout(timer);
    },
  };
};

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
