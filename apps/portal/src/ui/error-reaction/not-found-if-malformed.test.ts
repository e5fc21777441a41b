import { errorCatalog, PortalError } from '@deviceportal/contract/errors';
import { expect, it } from 'vitest';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { notFoundIfMalformed } from './not-found-if-malformed.ts';

const malformed = portalErrorOf(new PortalError('invalidParameters', { facts: {} }));

it('a link whose ID has an invalid format leads to an object that is not found', () => {
  const shown = notFoundIfMalformed(malformed, { kind: 'User', id: 'nope' });
  expect(shown).toMatchObject({ name: 'notFound', code: errorCatalog.notFound.code });
});

it('an invalid field of a form stays what it is', () => {
  expect(notFoundIfMalformed(malformed, undefined)).toBe(malformed);
});
