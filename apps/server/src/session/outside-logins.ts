import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { PortalError } from '@deviceportal/contract/errors';
import { OutsideLoginError, type OutsideLogins } from '@deviceportal/identity/outside-logins';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { ViewerFinder } from './find-viewer.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface OutsideLoginsDependencies {
  readonly providerNames: OutsideLogins['providerNames'];
  readonly tokens: TokenVerifier;
  readonly viewers: Pick<ViewerFinder, 'find'>;
  readonly named: Pick<NamedSettings, 'sessionDurationMinutes'>;
}

/**
 * Verifies tokens of other providers for the embedded identity pool. It is the same check as for API calls, so that
 * suspended users and ended sessions get no credentials.
 */
export function createOutsideLogins(dependencies: OutsideLoginsDependencies): OutsideLogins {
  const { providerNames, tokens, viewers, named } = dependencies;
  return {
    providerNames,
    async check(token, origin) {
      try {
        const { subject, username, groups, authenticatedAt } = await tokens.verify(token);
        await viewers.find(token, origin);
        const sessionEndsAtMs = authenticatedAt.getTime() + named.sessionDurationMinutes * 60_000;
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
