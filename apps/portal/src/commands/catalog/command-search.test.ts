import { expect, test } from 'vitest';
import { commandSearch } from './command-search.ts';

const read = (search: object) => commandSearch(search as Parameters<typeof commandSearch>[0]);

test('a link fills the form with text values, whether or not the router parsed them', () => {
  const values = { service: 'kiosk-ui' };
  expect(read({ values }).values).toBe('{"service":"kiosk-ui"}');
  expect(read({ values: JSON.stringify(values) }).values).toBe('{"service":"kiosk-ui"}');
  expect(read({ values: 7 }).values).toBe('');
  expect(read({ values: 'x'.repeat(5_000) }).values).toBe('');
});
