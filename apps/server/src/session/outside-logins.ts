import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { PortalError } from '@deviceportal/contract/errors';
import { OutsideLoginError, type OutsideLogins } from '@deviceportal/identity/outside-logins';
import type { ViewerFinder } from './find-viewer.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface OutsideLoginsDependencies {
  readonly providerNames: OutsideLogins['providerNames'];
  readonly tokens: TokenVerifier;
  readonly viewers: Pick<ViewerFinder, 'find'>;
  readonly sessionDurationMinutes: number;
}

/**
 * The check of logins that the embedded identity pool takes of another provider: the very one that an API call with the
 * same token passes, so that whoever is suspended, or whose session has ended, gets no credentials either.
 */
export function createOutsideLogins(dependencies: OutsideLoginsDependencies): OutsideLogins {
  const { providerNames, tokens, viewers, sessionDurationMinutes } = dependencies;
  return {
    providerNames,
    async check(token, origin) {
      try {
        const { subject, username, groups, authenticatedAt } = await tokens.verify(token);
        await viewers.find(token, origin);
        const sessionEndsAtMs = authenticatedAt.getTime() + sessionDurationMinutes * 60_000;
        return {
          subject,
          username,
          groups,
          claims: { ...decomposeUnverifiedJwt(token).payload },
          sessionEndsAt: new Date(sessionEndsAtMs),
        };
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

function faultOf(cause: unknown): unknown {
  if (!(cause instanceof PortalError)) return cause;
  const fault = cause.errorName === 'invalidSession' ? 'refused' : 'unavailable';
  return new OutsideLoginError(fault, { cause });
}
