import type {
  ProviderApplication,
  ProviderProtocol,
  RegistrationRule,
  SecondStepRule,
} from '@deviceportal/contract/provider-admin';
import { linesOf } from './address-lines.tsx';

/** The state of the application form. Addresses are lines of text. */
export interface ApplicationDraft {
  readonly name: string;
  readonly description: string;
  readonly redirectUris: string;
  readonly logoutRedirectUris: string;
  readonly allowedOrigins: string;
  readonly protocols: readonly ProviderProtocol[];
  readonly secondStep: SecondStepRule;
  readonly registration: RegistrationRule;
}

export function applicationDraftOf(application: ProviderApplication | undefined): ApplicationDraft {
  const { redirectUris = [], logoutRedirectUris = [], allowedOrigins = [] } = application ?? {};
  return {
    name: application?.name ?? '',
    description: application?.description ?? '',
    redirectUris: redirectUris.join('\n'),
    logoutRedirectUris: logoutRedirectUris.join('\n'),
    allowedOrigins: allowedOrigins.join('\n'),
    protocols: application?.protocols ?? ['oidc'],
    secondStep: application?.secondStep ?? 'as-provider',
    registration: application?.registration ?? 'as-provider',
  };
}

export function applicationInput(draft: ApplicationDraft) {
  return {
    ...draft,
    protocols: [...draft.protocols],
    redirectUris: linesOf(draft.redirectUris),
    logoutRedirectUris: linesOf(draft.logoutRedirectUris),
    allowedOrigins: linesOf(draft.allowedOrigins),
  };
}
