import { expect, test } from 'vitest';
import { accessRefusals } from '../access/access-refusals.ts';
import { apiTokenRefusals } from '../access/api-token-refusals.ts';
import { passkeyRefusals } from '../access/passkey-refusals.ts';
import { stepUpRefusals } from '../access/step-up-refusals.ts';
import { providerRefusals } from '../access/provider-refusals.ts';
import { airBlastRefusals } from '../air-blast/air-blast-refusals.ts';
import { alertRefusals } from '../alerts/alert-refusals.ts';
import { auditTrailRefusals } from '../audit-trail/audit-trail-refusals.ts';
import { commandRefusals } from '../commands/command-refusals.ts';
import { scheduleRefusals } from '../commands/schedule-refusals.ts';
import { deviceRefusals } from '../devices/device-refusals.ts';
import { deviceFileRefusals } from '../devices/device-file-refusals.ts';
import { terminalRefusals } from '../devices/terminal-refusals.ts';
import { webPageRefusals } from '../devices/web-page-refusals.ts';
import { documentRefusals } from '../documents/document-refusals.ts';
import { importRefusals } from '../imports/import-refusals.ts';
import { caseRefusals } from '../people/case-refusals.ts';
import { personalDataRefusals } from '../people/personal-data-refusals.ts';
import { reportRefusals } from '../reports/report-refusals.ts';
import { versionRefusals } from '../versions/version-refusals.ts';
import { declaredFacts } from './declared-facts.ts';
import { refusals } from './refusals.ts';
import { refuse } from './refuse.ts';
import { requestRefusals } from './request-refusals.ts';

test('includes the code, the reason, the facts, and a message with the facts', () => {
  const error = refuse('role-built-in', { field: 'id', facts: { role: 'Support' } });
  expect(error).toMatchObject({
    code: 2004,
    reason: 'role-built-in',
    message: 'Support is a built-in role and cannot be changed. Duplicate it instead.',
    facts: { role: 'Support' },
    issues: [{ path: ['id'], message: error.message }],
  });
});

test('each reason is defined by only one area', () => {
  const areas = [
    accessRefusals,
    airBlastRefusals,
    alertRefusals,
    apiTokenRefusals,
    auditTrailRefusals,
    caseRefusals,
    commandRefusals,
    deviceRefusals,
    documentRefusals,
    importRefusals,
    passkeyRefusals,
    personalDataRefusals,
    providerRefusals,
    reportRefusals,
    requestRefusals,
    scheduleRefusals,
    stepUpRefusals,
    deviceFileRefusals,
    terminalRefusals,
    webPageRefusals,
    versionRefusals,
  ];
  const reasons = areas.flatMap((area) => Object.keys(area));
  expect(reasons.toSorted()).toEqual(Object.keys(refusals).toSorted());
});

test('only declared facts leave the server, and each only as it is declared', () => {
  const row = {
    device: 'lobby',
    deviceId: 'd-1',
    serial_number: 'SN-1',
    owner: 'anna@example.com',
  };
  expect(declaredFacts('lock-held', row)).toEqual({ device: 'lobby', deviceId: 'd-1' });
  expect(declaredFacts('list-too-long', { count: '12; anna', most: 100 })).toEqual({ most: 100 });
  expect(declaredFacts('file-quota-reached', { most: 1, unit: 'anna' })).toEqual({ most: 1 });
  expect(declaredFacts(null, { permission: 'devices:read' })).toEqual({
    permission: 'devices:read',
  });
});

test.each(Object.entries(refusals))(
  'the sentence of %s uses facts that it always has',
  (_reason, { facts, sentence }) => {
    const used = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(facts)).toEqual(expect.arrayContaining(used));
  },
);
