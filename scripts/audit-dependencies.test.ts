import { expect, test } from 'vitest';
import { readAudit } from './audit-dependencies.ts';

const report = (severity: string) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      pg: { name: 'pg', severity, range: '<9', via: [{ url: 'https://advisories.example/1' }] },
    },
    metadata: { dependencies: { total: 700 } },
  });

test('a grave fault of a package stops, a small one is told', () => {
  const lines = [
    'high: pg <9 https://advisories.example/1',
    '1 packages with known vulnerabilities, of 700.',
  ];
  expect(readAudit(report('high'))).toEqual({ code: 1, lines });
  expect(readAudit(report('low')).code).toBe(0);
});

test.each([
  ['an error', '{"message":"405 Method Not Allowed","statusCode":405}'],
  ['nothing', ''],
  ['a page', '<html></html>'],
])('a registry that answers %s has checked nothing', (_what, output) => {
  expect(readAudit(output)).toMatchObject({ code: 3 });
});
