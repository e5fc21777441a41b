import { expect, test } from 'vitest';
import { parseSecretsPlace, secretsPlaceText } from './secrets-place.ts';
import { InvalidValue } from './setting.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const SECRET = 'arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:portal/live';

test.each([
  ['file', { kind: 'file' }],
  [`kms:${KEY}`, { kind: 'kms', keyArn: KEY, region: 'eu-west-1' }],
  [
    'secretsmanager:portal/live',
    { kind: 'secretsmanager', prefix: 'portal/live', arn: undefined, region: undefined },
  ],
  [
    `secretsmanager:${SECRET}`,
    { kind: 'secretsmanager', prefix: 'portal/live', arn: SECRET, region: 'cn-north-1' },
  ],
])('reads %s, and writes it the same way', (text, place) => {
  expect(parseSecretsPlace(text)).toEqual(place);
  expect(secretsPlaceText(parseSecretsPlace(text))).toBe(text);
});

test('a slash at the end of a prefix changes nothing', () => {
  for (const text of ['secretsmanager:portal', `secretsmanager:${SECRET}`]) {
    expect(parseSecretsPlace(`${text}/`)).toEqual(parseSecretsPlace(text));
  }
});

test.each([
  '',
  'files',
  'kms:',
  'kms:alias/portal',
  `kms:${KEY.replace(':key/', ':alias/')}`,
  `kms:${SECRET}`,
  'secretsmanager:',
  'secretsmanager:/',
  'secretsmanager:portal live',
  `secretsmanager:${KEY}`,
])('rejects "%s"', (text) => {
  expect(() => parseSecretsPlace(text)).toThrow(InvalidValue);
});
