import type { CacheProvider, SAML } from '@node-saml/node-saml';
import type { SamlConnection } from '../connection.ts';
import { textOf, type OutsidePerson } from '../outside-person.ts';
import { guardSamlAnswer } from './guard-saml-answer.ts';
import { requireOwnAssertion } from './require-own-assertion.ts';
import type { Trip, Upstream } from './upstream.ts';

/**
 * SAML 2.0 as a service provider: the request by HTTP-Redirect, the answer by HTTP-POST. Signature, issuer, audience,
 * recipient, times and the request that is answered are checked (Profiles, section 4.1.4.3).
 */
export function createSamlUpstream(connection: SamlConnection, ownName: string): Upstream {
  const open = async (
    { callbackUrl, isForced = false }: Pick<Trip, 'callbackUrl' | 'isForced'>,
    cacheProvider: CacheProvider,
  ): Promise<SAML> => {
    // With the first sign-in, so that a server is ready sooner.
    const library = await import('@node-saml/node-saml');
    return new library.SAML({
      callbackUrl,
      cacheProvider,
      issuer: ownName,
      audience: ownName,
      entryPoint: connection.ssoUrl,
      idpIssuer: connection.idpEntityId,
      idpCert: [...connection.certificates],
      validateInResponseTo: library.ValidateInResponseTo.always,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
      disableRequestedAuthnContext: true,
      identifierFormat: null,
      acceptedClockSkewMs: 30_000,
      forceAuthn: isForced,
    });
  };
  return {
    async begin(trip) {
      let requestId: string | undefined;
      const saml = await open(trip, {
        saveAsync: async (key, value) => {
          requestId = key;
          return { value, createdAt: Date.now() };
        },
        getAsync: async () => null,
        removeAsync: async () => null,
      });
      const url = await saml.getAuthorizeUrlAsync(trip.state, undefined, {});
      return { url, memory: { requestId } };
    },
    async finish(trip, { requestId }, answer) {
      const saml = await open(trip, {
        saveAsync: async () => null,
        // Called with the InResponseTo of the response.
        getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
        removeAsync: async () => null,
      });
      const SAMLResponse = answer.get('SAMLResponse') ?? '';
      guardSamlAnswer(Buffer.from(SAMLResponse, 'base64').toString('utf8'));
      const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
      if (profile === null) throw new Error('The assertion does not identify a user.');
      const { idpEntityId: issuer } = connection;
      requireOwnAssertion(profile, { issuer, recipient: trip.callbackUrl, requestId });
      return personOfProfile(profile, connection);
    },
  };
}

function personOfProfile(
  profile: Readonly<Record<string, unknown>>,
  { emailAttribute, nameAttribute }: SamlConnection,
): OutsidePerson {
  const subject = textOf(profile['nameID']);
  if (subject === undefined) throw new Error('The assertion does not identify a user.');
  const email = textOf(profile[emailAttribute]) ?? (subject.includes('@') ? subject : undefined);
  return {
    subject,
    email,
    // The address is provided by the organization itself.
    emailVerified: email !== undefined,
    name: textOf(profile[nameAttribute]),
  };
}
