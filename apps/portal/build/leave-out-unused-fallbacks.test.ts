import { expect, it } from 'vitest';
import { withoutFallbacks } from './leave-out-unused-fallbacks.ts';

const defined = new Set(['--color', '--space']);

it.each([
  ['a{color:var(--color, #0f141a)}', 'a{color:var(--color)}'],
  ['a{width:calc(1px + var(--space, calc(2px + (3px))))}', 'a{width:calc(1px + var(--space))}'],
  ['a{margin:var(--other, var(--space, 4px)) 0}', 'a{margin:var(--other, var(--space)) 0}'],
  [
    'a{margin:var(--other, 4px);padding:var(--space)}',
    'a{margin:var(--other, 4px);padding:var(--space)}',
  ],
  ['a{background:url(data:,)}', 'a{background:url(data:,)}'],
])('%s becomes %s', (css, expected) => {
  expect(withoutFallbacks(css, defined)).toBe(expected);
});
