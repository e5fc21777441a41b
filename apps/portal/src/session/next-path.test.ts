import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextPath } from './next-path.ts';

it('keeps a path of this portal with its search', () => {
  expect(nextPath(`?next=${encodeURIComponent('/devices?q=country%3DCN#x')}`)).toBe(
    '/devices?q=country%3DCN#x',
  );
});

it.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/.//x',
  '/signin',
])('%s leads to the root', (next) => {
  expect(nextPath(`?next=${encodeURIComponent(next)}`)).toBe('/');
});

it('never leaves this origin', () => {
  fc.assert(
    fc.property(fc.string(), (next) => {
      const path = nextPath(`?next=${encodeURIComponent(next)}`);
      expect(new URL(path, 'https://portal.example').origin).toBe('https://portal.example');
    }),
  );
});
