import { expect, it } from 'vitest';
import { auditTrailSearch } from './audit-trail-search.ts';

it('opens the archive from links of this release and of earlier ones', () => {
  expect(auditTrailSearch({ archive: true }).archive).toBe(true);
  expect(auditTrailSearch({ cold: true }).archive).toBe(true);
  expect(auditTrailSearch({}).archive).toBe(false);
});
