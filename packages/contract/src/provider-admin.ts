import { z } from 'zod';
import { nameSchema } from './name-schema.ts';
import { cursorSchema, pageSizeSchema, type Page, type Timestamp } from './pages.ts';
import { utcMomentSchema } from './moment.ts';
import type { ElevationBond } from './access/elevation-bond.ts';

/** What administrators look after at the provider at `/idp`: its programs, their keys, and the people's places. */

export const providerProtocols = ['oidc', 'cas', 'saml'] as const;
/** `oidc`: OpenID Connect and OAuth 2. */
export type ProviderProtocol = (typeof providerProtocols)[number];

export const secondStepRules = ['as-provider', 'required'] as const;
/** `as-provider`: who set a second step up is asked for it, or everybody, as the server's configuration says. */
export type SecondStepRule = (typeof secondStepRules)[number];

export const registrationRules = ['as-provider', 'open', 'closed'] as const;
/** Whether people may register by themselves at an application; `as-provider`: closed in production. */
export type RegistrationRule = (typeof registrationRules)[number];

/** Most applications, and departments, of one installation: their lists come whole. */
export const MOST_APPLICATIONS = 200;
export const MOST_DEPARTMENTS = 2_000;

const LONGEST_ADDRESS = 2_048;
const MOST_ADDRESSES = 50;

/** RFC 6749, section 3.1.2: absolute, and without a fragment. */
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
  /** Origins whose pages may call with cookies, beside those of the addresses. */
  allowedOrigins: z.array(origin).max(MOST_ADDRESSES).default([]),
  protocols: z.array(z.enum(providerProtocols)).max(providerProtocols.length),
  secondStep: z.enum(secondStepRules).default('as-provider'),
  registration: z.enum(registrationRules).default('as-provider'),
});
export type ProviderApplicationInput = z.output<typeof providerApplicationInput>;

export const editProviderApplicationInput = providerApplicationInput.extend({
  appId: id,
  /** `modifiedAt` of what was looked at: another's change meanwhile is not written over. */
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
  /** The portal's own: made by the server's configuration, and changed there. */
  readonly isOwn: boolean;
  readonly accessKeys: number;
  readonly hasSamlService: boolean;
  readonly createdAt: Timestamp;
  readonly modifiedAt: Timestamp;
}

/** A secret as it is shown once. */
export interface MadeApplication {
  readonly appId: string;
  readonly name: string;
  readonly secret: string;
}

/** What the provider is called from outside. */
export interface ProviderFacts {
  /** The application host; null where this installation has no provider. */
  readonly host: string | null;
  /** Whether the portal's own people sign in there. */
  readonly signsPortalIn: boolean;
}

export const listAccessKeysInput = z.object({ pageSize: pageSizeSchema, cursor: cursorSchema });
export const createProgramKeyInput = z.object({
  appId: id,
  name,
  /** What its tokens may be asked for. */
  scopes: z.array(code).max(20).default([]),
});
export const programKeyReference = z.object({ accessKeyId: id });

/** A pair with which a program gets tokens of its own. */
export interface ProgramKey {
  readonly accessKeyId: string;
  readonly appId: string;
  readonly application: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Timestamp;
  /** Null: in use. */
  readonly revokedAt: Timestamp | null;
  /** Null: it was not made by temporary access, and works until it is revoked. */
  readonly expiresAt: Timestamp | null;
  /** The temporary access by which it was made has ended, and the key with it. */
  readonly ended: boolean;
}
export type ProgramKeyPage = Page<ProgramKey>;

export interface MadeProgramKey {
  readonly accessKeyId: string;
  readonly name: string;
  readonly secret: string;
  /** The temporary access by which it was made, and with which it ends. */
  readonly bond: ElevationBond | null;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----/;

export const samlServiceInput = z.object({
  appId: id,
  entityId: z.string().trim().min(1).max(1_024),
  /** Where assertions may be sent; the first is for sign-ins that begin here. */
  acsUrls: webAddresses.min(1),
  logoutUrl: webAddress.nullable().default(null),
  /** PEM, of the key that signs its requests. Null: it does not sign them. */
  certificate: z
    .string()
    .max(16_384)
    .regex(CERTIFICATE, 'must be a certificate in PEM form')
    .nullable()
    .default(null),
});
export type SamlServiceInput = z.output<typeof samlServiceInput>;

export const saveSamlServiceInput = samlServiceInput.extend({
  /** `modifiedAt` of what was looked at: another's change meanwhile is not written over. Null: there was none. */
  basedOn: utcMomentSchema.nullable(),
});
export type SaveSamlServiceInput = z.output<typeof saveSamlServiceInput>;

export const samlMetadataInput = z.object({ metadata: z.string().trim().min(1).max(262_144) });

/** What a metadata document says of a service provider. */
export type SamlMetadata = Omit<SamlServiceInput, 'appId'>;

export interface SamlServiceRow extends SamlServiceInput {
  readonly application: string;
  /** When the certificate ends; null without one. */
  readonly certificateEndsAt: Timestamp | null;
  readonly modifiedAt: Timestamp;
}

export const connectionReference = z.object({ identifier: z.string().regex(/^[\w:.-]{1,64}$/) });

export interface ConnectionRow {
  readonly identifier: string;
  readonly displayName: string;
  readonly protocol: 'oidc' | 'azure-ad' | 'oauth' | 'saml' | 'cas' | 'ldap' | 'ad';
  readonly kind: 'social' | 'enterprise';
  /** Where the other side is. */
  readonly address: string;
  readonly createsUsers: boolean;
  readonly trustsEmail: boolean;
  /** What is configured of it, with secrets as `***`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Address to which the other side sends browsers back; null for directories. */
  readonly callbackUrl: string | null;
  /** When the first of its certificates ends; null without one. */
  readonly certificateEndsAt: Timestamp | null;
}

/** What a try of a connection showed; who reads it puts it in words. */
export type ConnectionFinding =
  /** The other side told its configuration, and people sign in there. */
  | { readonly kind: 'discovered'; readonly origin: string }
  /** A request without anything in it was refused in a way that shows who is there. */
  | { readonly kind: 'answered'; readonly status: number }
  /** The directory let the service in and searched below this name. */
  | { readonly kind: 'searched'; readonly baseDn: string }
  | { readonly kind: 'certificate-unreadable' }
  | { readonly kind: 'certificate-ended' | 'certificate-not-begun'; readonly at: Timestamp }
  /** Somebody is there, who is not the one that was meant. */
  | {
      readonly kind: 'wrong-answer' | 'no-cas-server';
      readonly address: string;
      readonly status: number;
    }
  /** Whatever else: in the words of who found it. */
  | { readonly kind: 'failed'; readonly said: string };

/** What became of a try. */
export interface ConnectionTest {
  readonly ok: boolean;
  readonly finding: ConnectionFinding;
  readonly durationMs: number;
}

export const departmentInput = z.object({
  name,
  /** Null: the root of a new organisation. */
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
  /** Made and held by means of the portal's own users: not changed here. */
  readonly isPortals: boolean;
}
export type ProviderRolePage = Page<ProviderRole>;

/** Of a department or a role. */
export const listMembersInput = z.object({ id, pageSize: pageSizeSchema, cursor: cursorSchema });
export const addMemberInput = z.object({
  id,
  /** E-mail address, phone number or user name. */
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
