import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as constants from '@deviceportal/contract/constants';
import * as device from '@deviceportal/contract/device-limits';
import { growthLimits, type GrowthLimitName } from '@deviceportal/contract/growth-limits';
import { uploadLimits } from '@deviceportal/identity/upload-limits';
import { expect, test } from 'vitest';
import {
  CHANGES_AT_ONCE,
  CHANGES_PER_SECOND,
  USER_BURST_MS,
  USER_REFILL_PER_SECOND_MS,
} from '../../src/platform/call-budget/user-budget.ts';
import { httpLimits } from '../../src/platform/http/http-limits.ts';

const guide = join(import.meta.dirname, '../../../../docs/guides/hardening.md');
const cells = new Map(
  Array.from(
    readFileSync(guide, 'utf8').matchAll(/^\| (.+?) +\| (.+) \|$/gm),
    ([, what, limits]) => [what, limits?.replaceAll(/ *\| */g, ' | ')],
  ),
);

const MIB = 1_024 * 1_024;
const count = (value: number): string => value.toLocaleString('en-US');
const kib = (bytes: number): string => `${bytes / 1_024} KiB`;
const mib = (bytes: number): string => `${bytes / MIB} MiB`;
const gib = (bytes: number): string => `${bytes / (1_024 * MIB)} GiB`;
const times = (perSecond: number, seconds: number): string =>
  count(Math.round(perSecond * seconds));

const growth: readonly (readonly [string, string, ...GrowthLimitName[]])[] = [
  ['saved views', '# per user', 'savedViews'],
  ['serial numbers in pasted lists in use', '# per user', 'targetListEntries'],
  ['notes', '# per device, # per case', 'deviceNotes', 'caseNotes'],
  ['requests to be notified of a device', '# per user', 'deviceWaits'],
  ['valid claims', '# per user', 'openClaims'],
  ['machines waiting for approval', '# in total', 'openReEnrollments'],
  ['runs in progress', '# per user', 'openRuns'],
  ['AirBlast rollouts that have not ended', '# per user', 'openRollouts'],
  ['schedules', '# per user', 'schedules'],
  ['open cases', '# per user', 'openCases'],
  ['cases', '# per user and day', 'cases'],
  ['edits of a case, reopenings of a case', '#, #', 'caseUpdates', 'caseReopenings'],
  ['access requests', '# per user and day', 'accessRequests'],
  ['reports in progress', '# per user, # in total', 'openReports', 'openReportsOfAll'],
  ['reports', '# per user and day', 'reports'],
  ['active links', '# per report', 'openShares'],
  ['exports of the audit trail', '# per user and day;', 'auditExports'],
  ['reports and proofs of results, cases, and rollouts', '# per user and day', 'evidenceFiles'],
  ['records of personal data', '# per user and day', 'personRecords'],
  ['roles', '#', 'roles'],
  ['invitations', '# per user and day', 'invitations'],
  ['directory connections', '#', 'scimConnections'],
  ['API tokens', '# per user', 'apiTokens'],
  ['service tokens', '#', 'serviceTokens'],
  ['imports in progress', '# per user', 'openImports'],
  ['imports', '# per user and day', 'imports'],
  ['alert rules', '# per user', 'alertRules'],
  [
    'test messages of alerts',
    '# per user and day; # to an address',
    'alertTests',
    'alertTestsOfAddress',
  ],
  ['webhooks', '# per user; # in total', 'webhooks', 'webhooksOfAll'],
  ['legal holds that have not ended', '#', 'legalHolds'],
  ['documents', '#; # versions each', 'documents', 'documentVersions'],
  ['software versions, version approvals', '# each', 'softwareVersions'],
];

const {
  BROKER_CONNECTIONS: broker,
  COLLECTED_FILES_PER_DAY: perDay,
  COLLECTED_FILES_PER_INVOCATION: perRun,
  UPLOADS_AT_ONCE: uploads,
} = device;

const others: Readonly<Record<string, string>> = {
  'journal: events and reports (1 per event, plus 1 per KiB)': `${count(device.JOURNAL_QUOTA.burst)} | ${device.JOURNAL_QUOTA.perSecond} per second |`,
  'changes of versions, changes of packages, of one device': `${count(device.SOFTWARE_CHANGES_PER_DEVICE)} each |`,
  'data of one event / details of one inventory': `${kib(device.JOURNAL_DATA_LIMIT_CHARACTERS)} / ${kib(device.INVENTORY_DETAILS_LIMIT_CHARACTERS)}, ${device.JOURNAL_DATA_LIMIT_DEPTH} levels deep |`,
  messages: `${count(device.MESSAGE_QUOTA.burst)}, or ${mib(device.MESSAGE_BYTES_QUOTA.burst)} | ${device.MESSAGE_QUOTA.perSecond}, or ${mib(device.MESSAGE_BYTES_QUOTA.perSecond)}, per second |`,
  heartbeats: `${device.HEARTBEAT_QUOTA.burst} | ${times(device.HEARTBEAT_QUOTA.perSecond, 60)} per minute |`,
  'birth and disconnect messages in one connection': `${device.STATUS_QUOTA.burst} | ${times(device.STATUS_QUOTA.perSecond, 60)} per minute |`,
  'birth and disconnect messages of one device': `${device.PRESENCE_QUOTA.burst} | ${times(device.PRESENCE_QUOTA.perSecond, 60)} per minute |`,
  'connections of one device': `${device.CONNECT_QUOTA.burst} | ${times(device.CONNECT_QUOTA.perSecond, 60)} per minute |`,
  'certificate renewals': `${device.RENEWAL_QUOTA.burst} | ${times(device.RENEWAL_QUOTA.perSecond, 3_600)} per hour |`,
  'output of one command on one device': `${mib(constants.INVOCATION_OUTPUT_LIMIT_BYTES)} `,
  'one collected file': `${mib(constants.COLLECTED_ARTIFACT_LIMIT_BYTES)} `,
  'files of one run on one device': `${perRun.files} files, ${gib(perRun.bytes)} |`,
  'files of one device in 24 hours': `${count(perDay.files)} files, ${gib(perDay.bytes)} |`,
  'concurrent uploads, of one device / in total': `${uploads.perDevice} / ${uploads.inAll} |`,
  'enrollments from one address': `${device.ENROLLMENT_QUOTA.burst} | ${device.ENROLLMENT_QUOTA.perSecond} per second |`,
  'connections in total / from one address': `${count(broker.inAll)} / ${count(broker.perAddress)} `,
  'connections that are not yet accepted, in total / of one address': `${count(broker.waitingInAll)} / ${count(broker.waitingPerAddress)}, for ${device.HANDSHAKE_LIMIT_MS / 1_000} seconds each`,
  'connections without a certificate of the portal, of one address': `burst of ${device.FAILED_HANDSHAKE_QUOTA.burst}, then ${device.FAILED_HANDSHAKE_QUOTA.perSecond} per second`,
  'MQTT message / will': `${kib(constants.MQTT_MESSAGE_LIMIT_BYTES)} / ${kib(device.WILL_LIMIT_BYTES)},`,
  topic: `${device.TOPIC_LIMIT_CHARACTERS} characters, ${device.TOPIC_LIMIT_LEVELS} levels`,
  'subscriptions in one packet': `${device.SUBSCRIPTIONS_PER_PACKET}`,
  'packets other than messages, of one connection': `burst of ${device.PACKET_QUOTA.burst}, then ${device.PACKET_QUOTA.perSecond} per second`,
  'keep-alive': `1 to ${count(device.KEEP_ALIVE_LIMIT_SECONDS)} seconds`,
  'a client that does not read': `closed after ${device.SLOW_CLIENT_LIMIT_MS / 1_000} seconds, or with ${mib(device.SLOW_CLIENT_LIMIT_BYTES)} `,
  'connections of the identity of one browser session': `${device.CONNECTIONS_PER_VIEWER}; burst of ${device.VIEWER_MESSAGE_QUOTA.burst} messages, then ${device.VIEWER_MESSAGE_QUOTA.perSecond} per second`,
  connections: `${count(httpLimits.connectionsPerAddress)} per address (not of proxies), ${count(httpLimits.connections)} in total`,
  'requests whose response is not read yet': `${httpLimits.requestsPerAddress} per address, ${count(httpLimits.requests)} in total`,
  headers: `${httpLimits.headersTimeoutMs / 1_000} seconds;`,
  'sending a body, reading a response': `${kib(httpLimits.slowestBytesPerSecond)} per second after ${httpLimits.slowGraceMs / 1_000} seconds`,
  'server time': `${USER_BURST_MS / 1_000} seconds per user, and ${USER_REFILL_PER_SECOND_MS / 1_000} per second`,
  'unused pictures at `/idp`': `${mib(uploadLimits.addressBytes)} per address, ${count(uploadLimits.bytes / MIB)} MiB in total; ${kib(uploadLimits.leastBytes)} at least each`,
  changes: `${count(CHANGES_AT_ONCE)} per user, and ${CHANGES_PER_SECOND} per second`,
};

test.each(Object.entries(others))(
  '[limits-guide-1] operators read the true limit of %s',
  (what, limit) => {
    expect(cells.get(what)).toContain(limit);
  },
);

test.each(growth.map(([what, words, ...names]) => ({ what, words, names })))(
  '[limits-guide-2] operators read the true limit of $what',
  ({ what, words, names }) => {
    const left = names.map((name) => count(growthLimits[name].most));
    const limit = words.replaceAll('#', () => left.shift() ?? '');
    expect(cells.get(what)).toMatch(new RegExp(`^${limit}(?: |$)`));
  },
);

test('[limits-guide-3] no limit of what grows is missing', () => {
  const named = new Set(growth.flatMap(([, , ...names]) => names)).add('versionApprovals');
  expect([...named].toSorted()).toEqual(Object.keys(growthLimits).toSorted());
});
