import { integer, optionalText, optionalUrl } from '../setting.ts';

const group = 'Telemetry';

/** `name=value` pairs as in `OTEL_EXPORTER_OTLP_HEADERS`, values percent-encoded. */
const HEADERS = /^[\w-]+=[^,=\s]*(?:,[\w-]+=[^,=\s]*)*$/;

/** Export of traces and metrics by OTLP. */
export const telemetrySettings = {
  otlpEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_OTLP_ENDPOINT',
      group,
      description:
        'Base URL of an OTLP/HTTP receiver for traces and metrics, such as an OpenTelemetry Collector, for example `http://127.0.0.1:4318`. Requires the package `telemetry`. Default: nothing is exported.',
    },
    ['http:', 'https:'],
  ),
  otlpHeaders: optionalText(
    {
      env: 'DEVICEPORTAL_OTLP_HEADERS',
      group,
      secret: true,
      description:
        'Headers of all exports, as `name=value` pairs separated by commas. Values are percent-encoded.',
    },
    { test: HEADERS, says: 'must be a list of name=value pairs separated by commas' },
  ),
  tracePercent: integer(
    {
      env: 'DEVICEPORTAL_TRACE_PERCENT',
      group,
      description:
        'Share of new traces that are recorded, with all of their database statements. Trusted proxies decide for the traces that they start.',
    },
    { min: 0, max: 100, default: 10 },
  ),
};
