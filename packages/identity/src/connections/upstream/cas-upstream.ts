import { z } from 'zod';
import type { CasConnection } from '../connection.ts';
import { personOfClaims, textOf } from '../outside-person.ts';
import type { Upstream } from './upstream.ts';

const TIMEOUT_MS = 10_000;

/** CAS protocol 3.0, section 2.5: `serviceValidate` with `format=JSON`. */
const answerSchema = z.object({
  serviceResponse: z.object({
    authenticationSuccess: z
      .object({ user: z.string().min(1), attributes: z.record(z.string(), z.unknown()).nullish() })
      .optional(),
    authenticationFailure: z.object({ code: z.string() }).partial().optional(),
  }),
});

/** CAS: the ticket is checked by the server that gave it, for exactly this service and state. */
export function createCasUpstream({ serverUrl }: CasConnection): Upstream {
  const serviceOf = (callbackUrl: string, state: string): string => {
    const service = new URL(callbackUrl);
    service.searchParams.set('state', state);
    return service.href;
  };
  return {
    async begin({ state, callbackUrl }) {
      const url = new URL(`${serverUrl}/login`);
      url.searchParams.set('service', serviceOf(callbackUrl, state));
      return { url: url.href, memory: {} };
    },
    async finish({ state, callbackUrl }, _memory, answer) {
      const url = new URL(`${serverUrl}/serviceValidate`);
      url.searchParams.set('service', serviceOf(callbackUrl, state));
      url.searchParams.set('ticket', answer.get('ticket') ?? '');
      url.searchParams.set('format', 'JSON');
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`The CAS server returned HTTP ${response.status}.`);
      const { serviceResponse } = answerSchema.parse(await response.json());
      const success = serviceResponse.authenticationSuccess;
      if (success === undefined) {
        throw new Error(
          `The CAS server rejected the ticket: ${serviceResponse.authenticationFailure?.code}`,
        );
      }
      const attributes = success.attributes ?? {};
      return personOfClaims(success.user, {
        ...attributes,
        // The address is provided by the organization itself.
        email_verified: textOf(attributes['email']) !== undefined,
        email: textOf(attributes['email']) ?? textOf(attributes['mail']),
      });
    },
  };
}
