import { z } from 'zod';

/** Fields of every connection. */
const common = {
  /** Names the connection in addresses and in the accounts that came by it: never change it. */
  identifier: z.string().regex(/^[\w:.-]{1,64}$/, 'only letters, digits, and : . _ -'),
  displayName: z.string().min(1).max(128),
  logo: z.url().optional(),
  /**
   * Whether a first sign-in creates an account. Default: true for the users of one organization,
   * false for a `social` connection, where anyone can have an account.
   */
  createsUsers: z.boolean().optional(),
  /**
   * Whether a verified email address of the external account selects the account with that address.
   */
  trustsEmail: z.boolean().default(false),
};

const webClient = {
  /** `social`: for all users; `enterprise`: for the users of one organization. */
  kind: z.enum(['social', 'enterprise']).default('enterprise'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
};

const oidcSchema = z.strictObject({
  ...common,
  ...webClient,
  protocol: z.literal('oidc'),
  /** OpenID Connect Discovery 1.0: the rest is read below it. */
  issuer: z.url(),
  scope: z.string().default('openid profile email'),
});

const azureSchema = z.strictObject({
  ...common,
  ...webClient,
  protocol: z.literal('azure-ad'),
  tenant: z.string().regex(/^[\w.-]+$/),
  authority: z.url().default('https://login.microsoftonline.com'),
  scope: z.string().default('openid profile email'),
});

const oauthSchema = z.strictObject({
  ...common,
  ...webClient,
  protocol: z.literal('oauth'),
  authorizationEndpoint: z.url(),
  tokenEndpoint: z.url(),
  userinfoEndpoint: z.url(),
  /** For providers that name themselves in the answer (RFC 9207). */
  issuer: z.url().optional(),
  scope: z.string().default(''),
  /** Field of the user information with the account's permanent ID. */
  subjectField: z.string().min(1).default('sub'),
});

const samlSchema = z.strictObject({
  ...common,
  protocol: z.literal('saml'),
  /** Entity ID of the identity provider. */
  idpEntityId: z.string().min(1),
  /** URL for sign-in requests by HTTP-Redirect. */
  ssoUrl: z.url(),
  /** With which its assertions are signed: PEM, or the base64 of its metadata. */
  certificates: z.array(z.string().min(1)).min(1),
  /** Attributes with email address and name. */
  emailAttribute: z.string().default('email'),
  nameAttribute: z.string().default('name'),
});

const casSchema = z.strictObject({
  ...common,
  protocol: z.literal('cas'),
  /** Without a slash at the end; `/login` and `/serviceValidate` are below it. */
  serverUrl: z.url().regex(/[^/]$/, 'must not end with a slash'),
});

const directory = {
  url: z.string().regex(/^ldaps?:\/\//, 'must begin with ldap:// or ldaps://'),
  /** Encrypts a connection that began as `ldap://`. */
  startTls: z.boolean().default(false),
  /** PEM of who signs the directory's certificate, where the system does not know them. */
  certificateAuthority: z.string().optional(),
  /** As whom people are looked up. */
  bindDn: z.string().min(1),
  bindPassword: z.string().min(1),
  baseDn: z.string().min(1),
  /** Filter of the entries that can sign in. */
  filter: z.string().default('(objectClass=person)'),
  timeoutMs: z.number().int().min(100).max(60_000).default(5_000),
};

const ldapSchema = z.strictObject({
  ...common,
  ...directory,
  protocol: z.literal('ldap'),
  /** In which attributes the typed name is looked for. */
  loginAttributes: z.array(z.string().min(1)).min(1).default(['uid', 'mail']),
  subjectAttribute: z.string().default('entryUUID'),
});

const adSchema = z.strictObject({
  ...common,
  ...directory,
  protocol: z.literal('ad'),
  loginAttributes: z
    .array(z.string().min(1))
    .min(1)
    .default(['sAMAccountName', 'userPrincipalName']),
  subjectAttribute: z.string().default('objectGUID'),
});

const connectionSchema = z.discriminatedUnion('protocol', [
  oidcSchema,
  azureSchema,
  oauthSchema,
  samlSchema,
  casSchema,
  ldapSchema,
  adSchema,
]);

/** The ways to sign in with an account elsewhere; each has its identifier to itself. */
export const connectionsSchema = z
  .array(
    connectionSchema.transform((connection) => ({
      ...connection,
      createsUsers:
        connection.createsUsers ?? !('kind' in connection && connection.kind === 'social'),
    })),
  )
  .max(100)
  .refine(
    (all) => new Set(all.map(({ identifier }) => identifier)).size === all.length,
    'identifiers must differ',
  );

type Decided<T> = T extends unknown
  ? Omit<T, 'createsUsers'> & { readonly createsUsers: boolean }
  : never;
export type Connection = Decided<z.output<typeof connectionSchema>>;
export type Connections = z.output<typeof connectionsSchema>;
export type OidcConnection = Decided<z.output<typeof oidcSchema>>;
export type AzureConnection = Decided<z.output<typeof azureSchema>>;
export type OauthConnection = Decided<z.output<typeof oauthSchema>>;
export type SamlConnection = Decided<z.output<typeof samlSchema>>;
export type CasConnection = Decided<z.output<typeof casSchema>>;
export type DirectoryConnection = Decided<z.output<typeof ldapSchema> | z.output<typeof adSchema>>;
export type WebConnection = Exclude<Connection, DirectoryConnection>;

export function isDirectory(connection: Connection): connection is DirectoryConnection {
  return connection.protocol === 'ldap' || connection.protocol === 'ad';
}

/** Whether the connection is a button for all users. */
export function isSocial(connection: WebConnection): boolean {
  return 'kind' in connection && connection.kind === 'social';
}
