import { expect, test } from 'vitest';
import { findSpacedFragments } from './find-spaced-fragments.ts';

const check = (children: string): string[] =>
  findSpacedFragments([
    {
      path: 'cards.tsx',
      text: `const cards = (\n<SpaceBetween size="m">\n${children}\n</SpaceBetween>\n);`,
    },
  ]);

test.each([
  '<><Card /><Card /></>',
  '{isOpen ? <><Card /><Card /></> : null}',
  '{isOpen && <Fragment><Card /></Fragment>}',
  '{names.map((name) => <Fragment key={name}><Card /></Fragment>)}',
])('%s in SpaceBetween: refused', (children) => {
  expect(check(children)).toEqual([expect.stringMatching(/^cards\.tsx:3 has a fragment /)]);
});

test.each([
  '<Card />',
  '<Card><><Title /><Text /></></Card>',
  '{isOpen ? <SpaceBetween size="m"><Card /></SpaceBetween> : null}',
  '<Card actions={<><Edit /><Remove /></>} />',
])('%s in SpaceBetween: allowed', (children) => {
  expect(check(children)).toEqual([]);
});

test('a fragment elsewhere is allowed', () => {
  expect(
    findSpacedFragments([{ path: 'cards.tsx', text: 'const a = <Box><><A /><B /></></Box>;' }]),
  ).toEqual([]);
});
