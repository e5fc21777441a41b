import { expect, test } from 'vitest';
import { readAuthorization } from './read-authorization.ts';

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc  ', 'abc'],
  ['BEARER\tabc', 'abc'],
  ['  abc ', 'abc'],
  ['Bearerabc', 'Bearerabc'],
  ['Bearer ', undefined],
  ['Bearer', undefined],
  ['', undefined],
])('reads %j as %j', (value, token) => {
  expect(readAuthorization({ header: value })).toBe(token);
});

test('prefers the header to the query, and the query to the body', () => {
  const places = { header: 'Bearer h', query: 'Bearer q', body: 'Bearer b' };
  expect(readAuthorization(places)).toBe('h');
  expect(readAuthorization({ ...places, header: undefined })).toBe('q');
  expect(readAuthorization({ body: 'Bearer b' })).toBe('b');
  expect(readAuthorization({ query: ['Bearer q', 'Bearer r'] })).toBe('q');
  expect(readAuthorization({ body: { Bearer: 'b' } })).toBeUndefined();
});
