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
  PERSON_BURST_MS,
  PERSON_REFILL_PER_SECOND_MS,
} from '../../src/platform/call-budget/person-budget.ts';
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
  ['saved views', '# a person', 'savedViews'],
  ['serial numbers in pasted lists in use', '# a person', 'targetListEntries'],
  ['notes', '# a device, # a case', 'deviceNotes', 'caseNotes'],
  ['devices to be notified of', '# a person', 'deviceWaits'],
  ['valid claims', '# a person', 'openClaims'],
  ['machines that wait for approval', '# in all', 'openReEnrollments'],
  ['runs in progress', '# a person', 'openRuns'],
  ['AirBlast rollouts that have not ended', '# a person', 'openRollouts'],
  ['schedules', '# a person', 'schedules'],
  ['open cases', '# a person', 'openCases'],
  ['cases', '# a person and day', 'cases'],
  ['edits of a case, reopenings of a case', '#, #', 'caseUpdates', 'caseReopenings'],
  ['access requests', '# a person and day', 'accessRequests'],
  ['reports in progress', '# a person, # in all', 'openReports', 'openReportsOfAll'],
  ['reports', '# a person and day', 'reports'],
  ['active links', '# a report', 'openShares'],
  ['exports of the audit trail', '# a person and day;', 'auditExports'],
  ['records of personal data', '# a person and day', 'personRecords'],
  ['roles', '#', 'roles'],
  ['invitations', '# a person and day', 'invitations'],
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
  'journal: events and reports (1 event = 1, and 1 for each KiB)': `${count(device.JOURNAL_QUOTA.burst)} | ${device.JOURNAL_QUOTA.perSecond} each second |`,
  'changes of versions, changes of packages, of one device': `${count(device.SOFTWARE_CHANGES_PER_DEVICE)} each |`,
  'data of one event / details of one inventory': `${kib(device.JOURNAL_DATA_LIMIT_CHARACTERS)} / ${kib(device.INVENTORY_DETAILS_LIMIT_CHARACTERS)}, ${device.JOURNAL_DATA_LIMIT_DEPTH} levels deep |`,
  messages: `${count(device.MESSAGE_QUOTA.burst)}, or ${mib(device.MESSAGE_BYTES_QUOTA.burst)} | ${device.MESSAGE_QUOTA.perSecond}, or ${mib(device.MESSAGE_BYTES_QUOTA.perSecond)}, each second |`,
  heartbeats: `${device.HEARTBEAT_QUOTA.burst} | ${times(device.HEARTBEAT_QUOTA.perSecond, 60)} a minute |`,
  'births and goodbyes in one connection': `${device.STATUS_QUOTA.burst} | ${times(device.STATUS_QUOTA.perSecond, 60)} a minute |`,
  'births and goodbyes of one device': `${device.PRESENCE_QUOTA.burst} | ${times(device.PRESENCE_QUOTA.perSecond, 60)} a minute |`,
  'connections of one device': `${device.CONNECT_QUOTA.burst} | ${times(device.CONNECT_QUOTA.perSecond, 60)} a minute |`,
  'certificate renewals': `${device.RENEWAL_QUOTA.burst} | ${times(device.RENEWAL_QUOTA.perSecond, 3_600)} an hour |`,
  'output of one command on one device': `${mib(constants.INVOCATION_OUTPUT_LIMIT_BYTES)} `,
  'one collected file': `${mib(constants.COLLECTED_ARTIFACT_LIMIT_BYTES)} `,
  'files of one run on one device': `${perRun.files} files, ${gib(perRun.bytes)} |`,
  'files of one device in 24 hours': `${count(perDay.files)} files, ${gib(perDay.bytes)} |`,
  'uploads at the same time, of one device / of all': `${uploads.perDevice} / ${uploads.inAll} |`,
  'enrollments from one address': `${device.ENROLLMENT_QUOTA.burst} | ${device.ENROLLMENT_QUOTA.perSecond} each second |`,
  'connections in all / from one address': `${count(broker.inAll)} / ${count(broker.perAddress)} `,
  'connections that are not admitted yet, in all / of one address': `${count(broker.waitingInAll)} / ${count(broker.waitingPerAddress)}, for ${device.HANDSHAKE_LIMIT_MS / 1_000} seconds each`,
  'connections without a certificate of the portal, of one address': `${device.FAILED_HANDSHAKE_QUOTA.burst} at once, then ${device.FAILED_HANDSHAKE_QUOTA.perSecond} each second`,
  'MQTT message / will': `${kib(constants.MQTT_MESSAGE_LIMIT_BYTES)} / ${kib(device.WILL_LIMIT_BYTES)},`,
  topic: `${device.TOPIC_LIMIT_CHARACTERS} characters, ${device.TOPIC_LIMIT_LEVELS} levels`,
  'subscriptions in one packet': `${device.SUBSCRIPTIONS_PER_PACKET}`,
  'packets other than messages, of one connection': `${device.PACKET_QUOTA.burst} at once, then ${device.PACKET_QUOTA.perSecond} each second`,
  'keep-alive': `1 to ${count(device.KEEP_ALIVE_LIMIT_SECONDS)} seconds`,
  'a client that does not read': `ends after ${device.SLOW_CLIENT_LIMIT_MS / 1_000} seconds, or with ${mib(device.SLOW_CLIENT_LIMIT_BYTES)} `,
  "connections of one browser session's identity": `${device.CONNECTIONS_PER_VIEWER}; ${device.VIEWER_MESSAGE_QUOTA.burst} messages at once, then ${device.VIEWER_MESSAGE_QUOTA.perSecond} each second`,
  connections: `${count(httpLimits.connectionsPerAddress)} an address (not of proxies), ${count(httpLimits.connections)} in all`,
  'requests whose answer is not read yet': `${httpLimits.requestsPerAddress} an address, ${count(httpLimits.requests)} in all`,
  headers: `${httpLimits.headersTimeoutMs / 1_000} seconds;`,
  'sending a body, reading an answer': `${kib(httpLimits.slowestBytesPerSecond)} a second after ${httpLimits.slowGraceMs / 1_000} seconds`,
  'server time': `${PERSON_BURST_MS / 1_000} seconds a person, and ${PERSON_REFILL_PER_SECOND_MS / 1_000} each second`,
  'unused pictures at `/idp`': `${mib(uploadLimits.addressBytes)} an address, ${count(uploadLimits.bytes / MIB)} MiB in all; ${kib(uploadLimits.leastBytes)} at least each`,
  changes: `${count(CHANGES_AT_ONCE)} a person, and ${CHANGES_PER_SECOND} each second`,
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
