/** How an enterprise's own provider is spoken to. */
export const Protocol = {
  OIDC: 'oidc',
  OAUTH: 'oauth',
  SAML: 'saml',
  CAS: 'cas',
  AZURE_AD: 'azure-ad',
} as const;
export type Protocol = (typeof Protocol)[keyof typeof Protocol];

/** Who fetches the tokens of an enterprise's OIDC provider: the browser or the server. */
export const OIDCConnectionMode = {
  FRONT_CHANNEL: 'FRONT_CHANNEL',
  BACK_CHANNEL: 'BACK_CHANNEL',
} as const;
export type OIDCConnectionMode = (typeof OIDCConnectionMode)[keyof typeof OIDCConnectionMode];
