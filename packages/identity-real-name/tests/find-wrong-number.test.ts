import { expect, test } from 'vitest';
import { findWrongNumber } from '../src/find-wrong-number.ts';

// Valid check digits by GB 11643, ISO/IEC 7812, and GB 32100. The numbers are fictitious.
const person = {
  type: 'P',
  name: '张三',
  idCard: '11010519491231002X',
  ext: '6222 0200 0000 0000 000',
} as const;
const company = { type: 'E', name: '某公司', idCard: '91350100M000100Y43', ext: '李四' } as const;

test.each([
  ['a person', person, undefined],
  [
    'an identity number with a wrong check digit',
    { ...person, idCard: '110105194912310021' },
    'idCard',
  ],
  ['a birthday that does not exist', { ...person, idCard: '110101199002307778' }, 'idCard'],
  ['a card with a wrong check digit', { ...person, ext: '6222020000000000001' }, 'bankCard'],
  ['an enterprise', company, undefined],
  [
    'a credit code with a wrong check character',
    { ...company, idCard: '91350100M000100Y44' },
    'enterpriseCode',
  ],
] as const)('%s', async (_what, proof, wrong) => {
  expect(await findWrongNumber(proof)).toBe(wrong);
});
