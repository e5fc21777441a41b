import { expect, test } from 'vitest';
import type { Verdict } from '@deviceportal/contract/devices';
import type { Finding } from '@deviceportal/contract/findings';
import { verdictsWithFindings } from './verdicts-with-findings.ts';

const verdict = (code: Verdict['code'], severity: Verdict['severity'], facts = {}): Verdict => ({
  code,
  severity,
  facts,
  suggestedCommand: null,
});
const finding = (rule: Finding['rule'], severity: Finding['severity']): Finding => ({
  rule,
  severity,
  facts: {},
  since: '2026-11-20T12:00:00.000Z',
  remedy: { command: 'storage/clean', parameters: { days: '7' } },
});

test('a device without findings has its own verdicts', () => {
  const healthy = [verdict('healthy', 'success')];
  expect(verdictsWithFindings(healthy, [])).toEqual(healthy);
});

test('a finding replaces the less specific verdict, most severe first', () => {
  const verdicts = [
    verdict('offline', 'error'),
    verdict('degraded', 'warning', { part: 'disk' }),
    verdict('degraded', 'warning', { part: 'memory' }),
  ];
  const merged = verdictsWithFindings(verdicts, [
    finding('disk-full', 'warning'),
    finding('unusual-silence', 'error'),
  ]);
  expect(merged.map(({ code, facts }) => [code, facts['part'] ?? null])).toEqual([
    ['unusual-silence', null],
    ['disk-full', null],
    ['degraded', 'memory'],
  ]);
  expect(merged[0]).toMatchObject({
    suggestedCommand: 'storage/clean',
    parameters: { days: '7' },
  });
});

test('that a device is offline comes before worse findings', () => {
  const merged = verdictsWithFindings(
    [verdict('offline', 'warning')],
    [finding('disk-full', 'error'), finding('crash-loop', 'error')],
  );
  expect(merged.map(({ code }) => code)).toEqual(['offline', 'disk-full', 'crash-loop']);
});

test('a device with a finding is not healthy', () => {
  const merged = verdictsWithFindings(
    [verdict('healthy', 'success')],
    [finding('behind-approved', 'warning')],
  );
  expect(merged.map(({ code }) => code)).toEqual(['behind-approved']);
});
