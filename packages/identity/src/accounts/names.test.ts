import { expect, test } from 'vitest';
import { personNameSchema, usernameSchema } from './names.ts';

test.each([
  ['a username', usernameSchema],
  ['a display name', personNameSchema],
] as const)('%s of an application with a service token cannot be taken', (_what, schema) => {
  expect(schema.safeParse('Service-Token:nightly').success).toBe(false);
  expect(schema.safeParse('Service-Technician').success).toBe(true);
});
