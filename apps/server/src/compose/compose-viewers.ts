import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { OutsideLogins } from '@deviceportal/identity/outside-logins';
import type { Provider } from '@deviceportal/identity/provider';
import {
  composeOutsideTokenVerifier,
  composePoolTokenVerifier,
  composeProviderTokenVerifier,
} from './compose-token-verifier.ts';
import type { Composition } from './composition.ts';
import { loginNamesOf } from '../platform/config/provider-origins.ts';
import {
  createViewerFinder,
  type FindViewerDependencies,
  type ViewerFinder,
} from '../session/find-viewer.ts';
import { createOutsideLogins } from '../session/outside-logins.ts';
import type { TokenVerifier } from '../session/token-verifier.ts';

/** Resolves the viewer of a token or signature. */
export function composeViewers(composition: Composition, identity: IdentityService): ViewerFinder {
  const tokens = composePoolTokenVerifier(composition.platform.config, identity);
  return viewersOf(composition, tokens, async ({ originJti, groups }) =>
    originJti === null ? groups : identity.findGroupsOfOpenSignIn(originJti),
  );
}

/** Users who do not sign in at the embedded user pool. */
export interface OutsideSignIn {
  readonly viewers: ViewerFinder;
  /** For the embedded identity pool, which issues the credentials of the live channel. */
  readonly logins: OutsideLogins;
}

/** External sign-in; undefined if this installation signs users in. */
export function composeOutsideSignIn(composition: Composition): OutsideSignIn | undefined {
  const { config } = composition.platform;
  const { providerSet } = config;
  if (providerSet.source === 'embedded') return undefined;
  const tokens = composeOutsideTokenVerifier(providerSet, config.tokenCheck);
  // A token alone does not show whether a session at an external provider has ended.
  const viewers = viewersOf(composition, tokens, async ({ groups }) => groups);
  const providerNames = loginNamesOf(providerSet);
  const { named } = composition;
  return { viewers, logins: createOutsideLogins({ providerNames, tokens, viewers, named }) };
}

/** Sign-in at the provider at `/idp`. Sessions that ended there are rejected at the next call. */
export function composeProviderSignIn(composition: Composition, provider: Provider): OutsideSignIn {
  const { config } = composition.platform;
  const tokens = composeProviderTokenVerifier(config, provider);
  const viewers = viewersOf(composition, tokens, async ({ originJti }) =>
    originJti === null ? undefined : provider.findRolesOfOpenSignIn(originJti),
  );
  const issuer = `${provider.settings.baseUrl}/oidc`;
  const logins = createOutsideLogins({
    providerNames: [issuer.replace(/^https?:\/\//, '')],
    tokens,
    viewers,
    named: composition.named,
  });
  return { viewers, logins };
}

function viewersOf(
  { platform, clock, named }: Composition,
  tokens: TokenVerifier,
  findGroups: FindViewerDependencies['findGroups'],
): ViewerFinder {
  const { database } = platform;
  return createViewerFinder({ database, tokens, clock, named, findGroups });
}
