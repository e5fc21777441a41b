import { expect, test } from 'vitest';
import { commandSearch } from './command-search.ts';

const read = (search: object) => commandSearch(search as Parameters<typeof commandSearch>[0]);

test('[finding-15] a link fills the form: its values arrive as text, whether the router parsed them or not', () => {
  const values = { service: 'kiosk-ui' };
  expect(read({ values }).values).toBe('{"service":"kiosk-ui"}');
  expect(read({ values: JSON.stringify(values) }).values).toBe('{"service":"kiosk-ui"}');
  expect(read({ values: 7 }).values).toBe('');
  expect(read({ values: 'x'.repeat(5_000) }).values).toBe('');
});
