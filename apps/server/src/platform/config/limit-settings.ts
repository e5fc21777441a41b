import { AIR_BLAST_APPROVAL_DEVICES } from '@deviceportal/contract/air-blast';
import { API_TOKEN_DAYS } from '@deviceportal/contract/api-tokens';
import { BROKER_CONNECTIONS } from '@deviceportal/contract/device-limits';
import { METRIC_RETENTION } from '@deviceportal/contract/device-metrics';
import { integer, type Setting } from './setting.ts';

const limits = 'Limits';
const retention = 'Retention';
const MEBIBYTE = 1024 * 1024;

function limit(
  env: string,
  description: string,
  range: { readonly min: number; readonly max: number; readonly default: number },
): Setting<number> {
  return integer({ env: `DEVICEPORTAL_${env}`, group: limits, description }, range);
}

function days(env: string, description: string, fallback: number): Setting<number> {
  return integer(
    { env: `DEVICEPORTAL_RETENTION_${env}_DAYS`, group: retention, description },
    { min: 1, max: 36_500, default: fallback },
  );
}

/** Limits and retention with their defaults. */
export const limitSettings = {
  requestBodyLimitBytes: limit('REQUEST_BODY_LIMIT_BYTES', 'Maximum size of a request body.', {
    min: 64 * 1024,
    max: 64 * MEBIBYTE,
    default: MEBIBYTE,
  }),
  requestUrlLimitBytes: limit(
    'REQUEST_URL_LIMIT_BYTES',
    'Maximum length of a batched GET URL. Browsers allow 2 MB.',
    { min: 16 * 1024, max: 64 * MEBIBYTE, default: 4 * MEBIBYTE },
  ),
  mqttMessageLimitBytes: limit('MQTT_MESSAGE_LIMIT_BYTES', 'Maximum size of an MQTT message.', {
    min: 16 * 1024,
    max: 16 * MEBIBYTE,
    default: 128 * 1024,
  }),
  mqttConnectionsPerAddress: limit(
    'MQTT_CONNECTIONS_PER_ADDRESS',
    'Maximum number of device connections from one address (IPv6: one /64) to the embedded broker. Behind a TCP load balancer, all connections have its address.',
    { min: 1, max: BROKER_CONNECTIONS.inAll, default: BROKER_CONNECTIONS.perAddress },
  ),
  targetListLimit: limit(
    'TARGET_LIST_LIMIT',
    'Maximum number of serial numbers in a pasted or uploaded list.',
    {
      min: 1,
      max: 1_000_000,
      default: 100_000,
    },
  ),
  airBlastApprovalDevices: limit(
    'AIR_BLAST_APPROVAL_DEVICES',
    'Number of devices from which an AirBlast rollout requires approval by a second user. Destructive changes always require approval.',
    { min: 1, max: 100, default: AIR_BLAST_APPROVAL_DEVICES },
  ),
  invocationOutputLimitBytes: limit(
    'INVOCATION_OUTPUT_LIMIT_BYTES',
    'Maximum stored output of an invocation. Longer output is truncated and marked.',
    { min: 64 * 1024, max: 1024 * MEBIBYTE, default: 10 * MEBIBYTE },
  ),
  outputPreviewCharacters: limit(
    'OUTPUT_PREVIEW_CHARACTERS',
    'Maximum output of an invocation in lists.',
    { min: 0, max: 100_000, default: 2_500 },
  ),
  collectedArtifactLimitBytes: limit(
    'COLLECTED_ARTIFACT_LIMIT_BYTES',
    'Maximum size of a file that a document collects.',
    { min: 1, max: 10 * 1024 * MEBIBYTE, default: 100 * MEBIBYTE },
  ),
  softwareArtifactLimitBytes: limit(
    'SOFTWARE_ARTIFACT_LIMIT_BYTES',
    'Maximum size of a software file.',
    {
      min: 1,
      max: 100 * 1024 * MEBIBYTE,
      default: 2 * 1024 * MEBIBYTE,
    },
  ),
  signedLinkMaxSeconds: limit('SIGNED_LINK_MAX_SECONDS', 'Maximum lifetime of a signed link.', {
    min: 60,
    max: 604_800,
    default: 604_800,
  }),
  apiTokenMaxDays: limit('API_TOKEN_MAX_DAYS', 'Maximum lifetime of an API token in days.', {
    min: API_TOKEN_DAYS.least,
    max: API_TOKEN_DAYS.limit,
    default: API_TOKEN_DAYS.most,
  }),
  auditTrailHotDays: days(
    'AUDIT_TRAIL_HOT',
    'Retention of the audit trail in the database (hot tier).',
    90,
  ),
  auditTrailColdDays: days(
    'AUDIT_TRAIL_COLD',
    'Total retention of the audit trail, including the archive (7 years).',
    2_557,
  ),
  apiCallDays: days('API_CALLS', 'API calls.', 30),
  geolocationDays: days('GEOLOCATION', 'Geolocation history.', 180),
  metricSampleDays: integer(
    {
      env: 'DEVICEPORTAL_RETENTION_METRIC_SAMPLES_DAYS',
      group: retention,
      description: 'Retention of the metrics of devices as they were measured.',
    },
    { min: 2, max: 400, default: METRIC_RETENTION.sampleDays },
  ),
  metricQuarterHourDays: days(
    'METRIC_QUARTER_HOURS',
    'Retention of the metrics of devices per quarter of an hour (minimum, mean, maximum).',
    METRIC_RETENTION.quarterHourDays,
  ),
  metricDayDays: days(
    'METRIC_DAYS',
    'Retention of the metrics of devices per day (minimum, mean, maximum).',
    METRIC_RETENTION.dayDays,
  ),
  softwareHistoryDays: days(
    'SOFTWARE_HISTORY',
    'Retention of the software and package changes of devices. The state at the start of this time is kept.',
    730,
  ),
  invocationOutputDays: days('INVOCATION_OUTPUT', 'Retention of invocation output.', 180),
  terminalRecordingDays: days('TERMINAL_RECORDING', 'Retention of recordings of terminals.', 180),
  deviceSessionDays: days(
    'DEVICE_SESSIONS',
    'Retention of ended terminal and web page sessions in the lists of devices. A session is kept at least as long as its recording. The audit trail keeps its opening and its end.',
    365,
  ),
  exportDays: days(
    'EXPORTS',
    'Retention of the files of audit exports and reports. Their content, recipient, and SHA-256 remain in the audit trail.',
    30,
  ),
};
