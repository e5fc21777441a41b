import type { TelemetryConfig } from '../config.ts';
import type { SettingValues } from '../settings.ts';

/** Undefined if nothing is exported. */
export function chooseTelemetry(values: SettingValues): TelemetryConfig | undefined {
  const { otlpEndpoint: endpoint, otlpHeaders = '', tracePercent } = values;
  if (endpoint === undefined) return undefined;
  const headers = otlpHeaders
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decoded(pair.slice(at + 1))] as const;
    });
  return { endpoint, headers: Object.fromEntries(headers), traceShare: tracePercent / 100 };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
