/** Protocols of enterprise identity providers. */
export const Protocol = {
  OIDC: 'oidc',
  OAUTH: 'oauth',
  SAML: 'saml',
  CAS: 'cas',
  AZURE_AD: 'azure-ad',
} as const;
export type Protocol = (typeof Protocol)[keyof typeof Protocol];

/** Whether the browser or the server fetches the tokens of an enterprise OIDC provider. */
export const OIDCConnectionMode = {
  FRONT_CHANNEL: 'FRONT_CHANNEL',
  BACK_CHANNEL: 'BACK_CHANNEL',
} as const;
export type OIDCConnectionMode = (typeof OIDCConnectionMode)[keyof typeof OIDCConnectionMode];
