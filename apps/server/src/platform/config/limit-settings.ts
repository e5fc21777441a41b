import { AIR_BLAST_APPROVAL_DEVICES } from '@deviceportal/contract/air-blast';
import { BROKER_CONNECTIONS } from '@deviceportal/contract/device-limits';
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

/** Limits and retention, with the defaults of the product. */
export const limitSettings = {
  requestBodyLimitBytes: limit('REQUEST_BODY_LIMIT_BYTES', 'Largest request body.', {
    min: 64 * 1024,
    max: 64 * MEBIBYTE,
    default: MEBIBYTE,
  }),
  requestUrlLimitBytes: limit(
    'REQUEST_URL_LIMIT_BYTES',
    'Largest batched GET URL; browsers stop at 2 MB.',
    { min: 16 * 1024, max: 64 * MEBIBYTE, default: 4 * MEBIBYTE },
  ),
  mqttMessageLimitBytes: limit('MQTT_MESSAGE_LIMIT_BYTES', 'Largest MQTT message.', {
    min: 16 * 1024,
    max: 16 * MEBIBYTE,
    default: 128 * 1024,
  }),
  mqttConnectionsPerAddress: limit(
    'MQTT_CONNECTIONS_PER_ADDRESS',
    'Connections of devices from one address (IPv6: one /64) to the embedded broker; behind a TCP balancer all have its address.',
    { min: 1, max: BROKER_CONNECTIONS.inAll, default: BROKER_CONNECTIONS.perAddress },
  ),
  targetListLimit: limit('TARGET_LIST_LIMIT', 'Serial numbers in a pasted or uploaded list.', {
    min: 1,
    max: 1_000_000,
    default: 100_000,
  }),
  airBlastApprovalDevices: limit(
    'AIR_BLAST_APPROVAL_DEVICES',
    'From so many devices on an AirBlast needs a second person; what destroys always does.',
    { min: 1, max: 100, default: AIR_BLAST_APPROVAL_DEVICES },
  ),
  invocationOutputLimitBytes: limit(
    'INVOCATION_OUTPUT_LIMIT_BYTES',
    'Output kept of one invocation; more is cut with a mark.',
    { min: 64 * 1024, max: 1024 * MEBIBYTE, default: 10 * MEBIBYTE },
  ),
  outputPreviewCharacters: limit(
    'OUTPUT_PREVIEW_CHARACTERS',
    'Output of one invocation shown in lists.',
    { min: 0, max: 100_000, default: 2_500 },
  ),
  collectedArtefactLimitBytes: limit(
    'COLLECTED_ARTEFACT_LIMIT_BYTES',
    'Largest file that a document may collect.',
    { min: 1, max: 10 * 1024 * MEBIBYTE, default: 100 * MEBIBYTE },
  ),
  softwareArtefactLimitBytes: limit('SOFTWARE_ARTEFACT_LIMIT_BYTES', 'Largest software artefact.', {
    min: 1,
    max: 100 * 1024 * MEBIBYTE,
    default: 2 * 1024 * MEBIBYTE,
  }),
  signedLinkMaxSeconds: limit('SIGNED_LINK_MAX_SECONDS', 'Longest life of a signed link.', {
    min: 60,
    max: 604_800,
    default: 604_800,
  }),
  auditTrailHotDays: days('AUDIT_TRAIL_HOT', 'Audit trail that is searched directly.', 90),
  auditTrailColdDays: days('AUDIT_TRAIL_COLD', 'Audit trail that is kept (7 years).', 2_557),
  apiCallDays: days('API_CALLS', 'API calls.', 30),
  geolocationDays: days('GEOLOCATION', 'Geolocation history.', 180),
  softwareHistoryDays: days(
    'SOFTWARE_HISTORY',
    'Changes of the software and packages of devices. What a device ran when that time began stays known.',
    730,
  ),
  invocationOutputDays: days('INVOCATION_OUTPUT', 'Output of invocations.', 180),
  exportDays: days(
    'EXPORTS',
    'Files of audit exports and reports. What they were, for whom, and their SHA-256 stay in the audit trail.',
    30,
  ),
};
