import { expect, it } from 'vitest';
import { EnrollmentRefused } from './enroll.ts';

const facts = (reason: string) => ({ reason, device: 'SN0001', keyFingerprint: 'SHA256:x' });

it.each([
  ['waits for a person', 403, facts('re-enrolment-waiting'), true],
  ['waits behind another machine', 403, facts('re-enrolment-of-another'), true],
  ['waits while too many machines ask', 400, facts('limitReached'), true],
  ['waits while its address is limited', 429, undefined, true],
  ['ends when a person has rejected it', 403, facts('re-enrolment-rejected'), false],
  ['ends with a wrong claim', 403, {}, false],
])('an agent that is refused %s', (_what, status, said, isUndecided) => {
  expect(new EnrollmentRefused(status, 'no', said).isUndecided).toBe(isUndecided);
});
