import { expect, it } from 'vitest';
import { auditTrailSearch } from './audit-trail-search.ts';

const opened = (search: { readonly archive?: boolean; readonly cold?: boolean }): boolean =>
  auditTrailSearch(search as Parameters<typeof auditTrailSearch>[0]).archive;

it('opens the archive from links of this release and of earlier ones', () => {
  expect(opened({ archive: true })).toBe(true);
  expect(opened({ cold: true })).toBe(true);
  expect(opened({})).toBe(false);
});
