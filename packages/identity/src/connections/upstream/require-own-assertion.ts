import type { Profile } from '@node-saml/node-saml';
import { z } from 'zod';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

const confirmationSchema = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: z
    .array(z.object({ $: z.object({ Recipient: z.string(), InResponseTo: z.string() }) }))
    .length(1),
});
const assertionSchema = z.object({
  Assertion: z.object({
    Subject: z.array(z.object({ SubjectConfirmation: z.array(z.unknown()).default([]) })).length(1),
  }),
});

/**
 * Checks of a signed assertion that the library does not do (SAML 2.0 profiles, section 4.1.4.3):
 * the issuer is this identity provider, whose key may also sign for others, and recipient and
 * request match.
 * @throws Error with the reason
 */
export function requireOwnAssertion(
  profile: Profile,
  expected: {
    readonly issuer: string;
    readonly recipient: string;
    readonly requestId: string | undefined;
  },
): void {
  const { issuer, recipient, requestId } = expected;
  if (profile.issuer !== issuer) throw new Error(`The assertion was issued by ${profile.issuer}.`);
  const [subject] = assertionSchema.parse(profile.getAssertion?.()).Assertion.Subject;
  const isOwn = subject?.SubjectConfirmation.some((each) => {
    const read = confirmationSchema.safeParse(each).data;
    const data = read?.SubjectConfirmationData[0]?.$;
    return (
      read?.$.Method === BEARER && data?.Recipient === recipient && data.InResponseTo === requestId
    );
  });
  if (isOwn !== true) throw new Error('The assertion is for another URL or request.');
}
