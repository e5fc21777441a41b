/** The tracing channel (`node:diagnostics_channel`) on which the server announces its work. */
export type WorkChannel = 'deviceportal:work';

/** A piece of work of which traces show start, end, and result. It contains no values of users. */
export interface TracedWork {
  readonly kind: 'server' | 'internal' | 'client' | 'consumer';
  /** Can change until the end. */
  name: string;
  /** Can change until the end. */
  readonly attributes: Record<string, string | number | boolean>;
  /** W3C traceparent of a caller that is trusted. */
  readonly parent?: string | undefined;
  /** Of no interest outside of other work. */
  readonly onlyWithin?: true;
  /** Set at the start where traces are exported. */
  traceId?: string;
  hasFailed?: boolean;
}

/** A metric of prom-client. */
export interface ExportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number | undefined>>;
    readonly value: number;
    /** For parts of a histogram: its name with `_bucket`, `_sum`, or `_count`. */
    readonly metricName?: string;
  }[];
}

export interface TelemetryOptions {
  /** Base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: { readonly name: string; readonly version: string; readonly instance: string };
  /** Share of new traces that are recorded, 0 to 1. */
  readonly traceShare: number;
  readonly traceIntervalMs: number;
  readonly metricsIntervalMs: number;
  readonly readMetrics: () => Promise<readonly ExportedMetric[]>;
  /** Called when an export fails. */
  readonly onFault: (error: Error) => void;
}

/** Exports of the optional package `@deviceportal/telemetry`, which implements these types. */
export interface TelemetryPackage {
  /** Disposing exports what is left, for up to 3 s. */
  startTelemetry(options: TelemetryOptions): AsyncDisposable;
}
