import { expect, test } from 'vitest';
import { parseSecretsPlace } from '../platform/config/secrets-place.ts';
import { describeSecretsPlace } from './describe-secrets-place.ts';

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0d1c2b3a-0000-4000-8000-000000000000';
const SECRETS = 'arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:portal/keys';

test.each([
  ['file', { kind: 'file', name: null }],
  [`kms:${KEY}`, { kind: 'kms', name: KEY }],
  ['secretsmanager:portal/keys/', { kind: 'secretsmanager', name: 'portal/keys' }],
  [`secretsmanager:${SECRETS}`, { kind: 'secretsmanager', name: SECRETS }],
])('the place %s is shown by its name', (text, view) => {
  expect(describeSecretsPlace(parseSecretsPlace(text))).toEqual(view);
});
