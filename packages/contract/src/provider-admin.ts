import { z } from 'zod';
import { nameSchema } from './name-schema.ts';
import { cursorSchema, pageSizeSchema, type Page, type Timestamp } from './pages.ts';
import { utcMomentSchema } from './moment.ts';
import type { AccessGrantBond } from './access/access-grant-bond.ts';

/**
 * Administration of the provider at `/idp`: applications, their keys, and users' departments and
 * roles.
 */

export const providerProtocols = ['oidc', 'cas', 'saml'] as const;
/** `oidc`: OpenID Connect and OAuth 2. */
export type ProviderProtocol = (typeof providerProtocols)[number];

export const secondStepRules = ['as-provider', 'required'] as const;
/**
 * `as-provider`: the server's configuration decides whether a second factor is required from all
 * users or only from those who set one up.
 */
export type SecondStepRule = (typeof secondStepRules)[number];

export const registrationRules = ['as-provider', 'open', 'closed'] as const;
/** Whether users can register at an application. `as-provider`: closed in production. */
export type RegistrationRule = (typeof registrationRules)[number];

/**
 * Maximum number of applications, and of departments, in an installation. Their lists are not
 * paged.
 */
export const MOST_APPLICATIONS = 200;
export const MOST_DEPARTMENTS = 2_000;

const LONGEST_ADDRESS = 2_048;
const MOST_ADDRESSES = 50;

/** RFC 6749, section 3.1.2: absolute, without a fragment. */
const webAddress = z
  .url({ protocol: /^https?$/, message: 'must be an address like https://example.com/callback' })
  .max(LONGEST_ADDRESS)
  .refine((text) => !text.includes('#'), 'must have no part behind #');
const webAddresses = z.array(webAddress).max(MOST_ADDRESSES);
const origin = z
  .url({ protocol: /^https?$/, message: 'must be an address like https://example.com' })
  .max(LONGEST_ADDRESS)
  .transform((text) => new URL(text).origin);
const name = nameSchema({ max: 128 });
const description = z.string().trim().max(500).default('');
const code = z.string().regex(/^[\w.:-]{1,64}$/, 'letters, digits and . : _ - only');
const id = z.string().regex(/^[\w-]{1,64}$/);

export const providerApplicationInput = z.object({
  name,
  description,
  redirectUris: webAddresses.min(1),
  logoutRedirectUris: webAddresses.default([]),
  /** Origins whose pages can call with cookies, in addition to those of the URIs. */
  allowedOrigins: z.array(origin).max(MOST_ADDRESSES).default([]),
  protocols: z.array(z.enum(providerProtocols)).max(providerProtocols.length),
  secondStep: z.enum(secondStepRules).default('as-provider'),
  registration: z.enum(registrationRules).default('as-provider'),
});
export type ProviderApplicationInput = z.output<typeof providerApplicationInput>;

export const editProviderApplicationInput = providerApplicationInput.extend({
  appId: id,
  /**
   * `modifiedAt` of the edited version. If another user has changed it since, the change is
   * rejected.
   */
  basedOn: utcMomentSchema,
});
export const providerApplicationReference = z.object({ appId: id });

export interface ProviderApplication {
  readonly appId: string;
  readonly name: string;
  readonly description: string;
  readonly redirectUris: readonly string[];
  readonly logoutRedirectUris: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly protocols: readonly ProviderProtocol[];
  readonly secondStep: SecondStepRule;
  readonly registration: RegistrationRule;
  /** The portal's own application, defined by the server's configuration. */
  readonly isOwn: boolean;
  readonly accessKeys: number;
  readonly hasSamlService: boolean;
  readonly createdAt: Timestamp;
  readonly modifiedAt: Timestamp;
}

/** A secret, shown once. */
export interface MadeApplication {
  readonly appId: string;
  readonly name: string;
  readonly secret: string;
}

/** The provider's external URLs. */
export interface ProviderFacts {
  /** The application host; null if this installation has no provider. */
  readonly host: string | null;
  /** Whether the portal's own users sign in there. */
  readonly signsPortalIn: boolean;
}

export const listAccessKeysInput = z.object({ pageSize: pageSizeSchema, cursor: cursorSchema });
export const createProgramKeyInput = z.object({
  appId: id,
  name,
  /** Scopes that its tokens can have. */
  scopes: z.array(code).max(20).default([]),
});
export const programKeyReference = z.object({ accessKeyId: id });

/** An access key, with which an application gets its own tokens. */
export interface ProgramKey {
  readonly accessKeyId: string;
  readonly appId: string;
  readonly application: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Timestamp;
  /** Null while it is in use. */
  readonly revokedAt: Timestamp | null;
  /** Null if it was not created with temporary access and is valid until revoked. */
  readonly expiresAt: Timestamp | null;
  /** Whether the temporary access with which it was created has ended, and the key with it. */
  readonly ended: boolean;
}
export type ProgramKeyPage = Page<ProgramKey>;

export interface MadeProgramKey {
  readonly accessKeyId: string;
  readonly name: string;
  readonly secret: string;
  /** The temporary access with which it was created and with which it ends. */
  readonly bond: AccessGrantBond | null;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----/;

export const samlServiceInput = z.object({
  appId: id,
  entityId: z.string().trim().min(1).max(1_024),
  /** ACS URLs. The first one is used for sign-ins started by the provider. */
  acsUrls: webAddresses.min(1),
  logoutUrl: webAddress.nullable().default(null),
  /** PEM certificate of the key that signs its requests; null if requests are not signed. */
  certificate: z
    .string()
    .max(16_384)
    .regex(CERTIFICATE, 'must be a certificate in PEM form')
    .nullable()
    .default(null),
});
export type SamlServiceInput = z.output<typeof samlServiceInput>;

export const saveSamlServiceInput = samlServiceInput.extend({
  /**
   * `modifiedAt` of the edited version. If another user has changed it since, the change is
   * rejected. Null if there was none.
   */
  basedOn: utcMomentSchema.nullable(),
});
export type SaveSamlServiceInput = z.output<typeof saveSamlServiceInput>;

export const samlMetadataInput = z.object({ metadata: z.string().trim().min(1).max(262_144) });

/** Content of a service provider's metadata document. */
export type SamlMetadata = Omit<SamlServiceInput, 'appId'>;

export interface SamlServiceRow extends SamlServiceInput {
  readonly application: string;
  /** Expiry of the certificate; null without one. */
  readonly certificateEndsAt: Timestamp | null;
  readonly modifiedAt: Timestamp;
}

export const connectionReference = z.object({ identifier: z.string().regex(/^[\w:.-]{1,64}$/) });

export interface ConnectionRow {
  readonly identifier: string;
  readonly displayName: string;
  readonly protocol: 'oidc' | 'azure-ad' | 'oauth' | 'saml' | 'cas' | 'ldap' | 'ad';
  readonly kind: 'social' | 'enterprise';
  /** URL of the external provider. */
  readonly address: string;
  readonly createsUsers: boolean;
  readonly trustsEmail: boolean;
  /** Its configuration, with secrets as `***`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Callback URL for the external provider; null for directories. */
  readonly callbackUrl: string | null;
  /** Earliest expiry of its certificates; null without one. */
  readonly certificateEndsAt: Timestamp | null;
}

/** Result of a connection test, which the portal translates. */
export type ConnectionFinding =
  /** The provider's configuration was fetched, and users can sign in there. */
  | { readonly kind: 'discovered'; readonly origin: string }
  /** An empty request was rejected in a way that identifies the provider. */
  | { readonly kind: 'answered'; readonly status: number }
  /** The service account signed in to the directory and searched below this name. */
  | { readonly kind: 'searched'; readonly baseDn: string }
  | { readonly kind: 'certificate-unreadable' }
  | { readonly kind: 'certificate-ended' | 'certificate-not-begun'; readonly at: Timestamp }
  /** A server responded, but not the expected one. */
  | {
      readonly kind: 'wrong-answer' | 'no-cas-server';
      readonly address: string;
      readonly status: number;
    }
  /** Any other failure, with its message. */
  | { readonly kind: 'failed'; readonly said: string };

/** Result of a connection test. */
export interface ConnectionTest {
  readonly ok: boolean;
  readonly finding: ConnectionFinding;
  readonly durationMs: number;
}

export const departmentInput = z.object({
  name,
  /** Null for the root of a new organization. */
  parentId: id.nullable(),
  code: code.nullable().default(null),
  description,
});
export type DepartmentInput = z.output<typeof departmentInput>;
export const editDepartmentInput = departmentInput.extend({ id });
export const departmentReference = z.object({ id });

export interface DepartmentRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly code: string | null;
  readonly description: string;
  readonly people: number;
}

export const providerRoleInput = z.object({
  namespace: code.default('default'),
  code,
  description,
});
export type ProviderRoleInput = z.output<typeof providerRoleInput>;
export const editProviderRoleInput = z.object({ id, description });
export const providerRoleReference = z.object({ id });
export const listProviderRolesInput = z.object({
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface ProviderRole {
  readonly id: string;
  readonly namespace: string;
  readonly code: string;
  readonly description: string;
  readonly people: number;
  /** Managed through the portal's own users, and read-only here. */
  readonly isPortals: boolean;
}
export type ProviderRolePage = Page<ProviderRole>;

/** Members of a department or role. */
export const listMembersInput = z.object({ id, pageSize: pageSizeSchema, cursor: cursorSchema });
export const addMemberInput = z.object({
  id,
  /** Email address, phone number, or username. */
  person: z.string().trim().min(1).max(320),
});
export const removeMemberInput = z.object({ id, userId: id });

export interface Member {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly status: 'Activated' | 'Suspended' | 'Resigned' | 'Archived';
  readonly since: Timestamp;
}
export type MemberPage = Page<Member>;
