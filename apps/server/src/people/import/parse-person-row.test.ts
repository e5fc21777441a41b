import { expect, test } from 'vitest';
import { parsePersonRow } from './parse-person-row.ts';

const parse = (cells: Record<string, unknown>) => parsePersonRow({ username: 'ann', ...cells });

test('phone numbers and languages are stored in their standard form', () => {
  const parsed = parse({ phone: '+49 30 123456', language: 'zh_cn', country: 'de' });
  expect(parsed).toMatchObject({
    given: { phone: '+4930123456', language: 'zh-CN', country: 'DE' },
  });
});

test('a phone number that an export has protected is no formula', () => {
  expect(parse({ phone: "'+4930123456" })).toMatchObject({ given: { phone: '+4930123456' } });
});

test.each([
  [{ username: '' }, 'username', 'username-invalid'],
  [{ username: 'service-token:ci' }, 'username', 'username-invalid'],
  [{ email: 'ann' }, 'email', 'email-invalid'],
  [{ phone: '030 123456' }, 'phone', 'phone-invalid'],
  [{ language: 'x' }, 'language', 'language-invalid'],
  [{ name: { first: 'Ann' } }, 'name', 'text-invalid'],
  [{ name: '=1+1' }, 'name', 'import-formula'],
])('%o is refused with its column', (cells, column, reason) => {
  expect(parse(cells)).toMatchObject({ column, refusal: { reason } });
});
