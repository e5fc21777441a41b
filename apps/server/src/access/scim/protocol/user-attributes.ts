import { z } from 'zod';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { isServiceActorName } from '@deviceportal/contract/service-actor-name';
import type { DirectoryUser } from '../../data/scim/scim-user-queries.ts';
import type { Attributes } from './apply-patch.ts';
import { invalid } from './scim-error.ts';

/** Attributes of RFC 7643, section 4.1, that directories send by default. */
export const userAttributes: Attributes = {
  ...{ schemas: 'read-only', id: 'read-only', meta: 'read-only', groups: 'read-only' },
  userName: 'simple',
  externalId: 'simple',
  displayName: 'simple',
  active: 'simple',
  name: {
    complex: [
      'formatted',
      'givenName',
      'familyName',
      'middleName',
      'honorificPrefix',
      'honorificSuffix',
    ],
  },
  emails: { list: ['value', 'type', 'primary', 'display'] },
  phoneNumbers: { list: ['value', 'type', 'primary', 'display'] },
  ...{ nickName: 'unused', profileUrl: 'unused', title: 'unused', userType: 'unused' },
  ...{ preferredLanguage: 'unused', locale: 'unused', timezone: 'unused', password: 'unused' },
  ...{ ims: 'unused', photos: 'unused', addresses: 'unused', entitlements: 'unused' },
  ...{ roles: 'unused', x509Certificates: 'unused' },
};

/** Entra ID sends `"True"` and `"False"`. */
const flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(?:true|false)$/i)
    .transform((text) => text.toLowerCase() === 'true'),
]);
const text = (max: number) => z.string().trim().max(max);
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => value ?? undefined, schema.optional());
const addresses = <Value extends z.ZodType<string>>(value: Value) =>
  optional(z.array(z.object({ value, type: optional(text(64)), primary: optional(flag) })).max(20));

const unreserved = (schema: z.ZodType<string, string>) =>
  schema.refine((name) => !isServiceActorName(name), 'is reserved for service tokens');

const userSchema = z.object({
  userName: unreserved(text(128).min(1)),
  externalId: optional(text(256)),
  displayName: optional(unreserved(text(256))),
  active: optional(flag),
  name: optional(
    z.object({
      formatted: optional(unreserved(text(256))),
      givenName: optional(unreserved(text(128))),
      familyName: optional(text(128)),
    }),
  ),
  emails: addresses(z.email().max(320)),
  phoneNumbers: addresses(text(64).min(1)),
});

/** The writable attributes of a user, as a directory sends them. */
export type ScimUserInput = z.output<typeof userSchema>;

/**
 * Reads the attributes of a user from a request. Names are matched without case; unknown ones are ignored.
 * @throws ScimError 400 invalidValue
 */
export function readUser(body: unknown): ScimUserInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body is a user.', 'invalidSyntax');
  }
  const names = Object.keys(userAttributes);
  const known = Object.fromEntries(
    Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
      const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
      return name === undefined ? [] : [[name, value]];
    }),
  );
  const parsed = safeParse(userSchema, known);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'is invalid'}`);
}

/** The writable attributes of a stored user: what the directory has sent, or else what the portal has. */
export function writableAttributes(user: DirectoryUser): Readonly<Record<string, unknown>> {
  const { stored } = user;
  const profile = stored?.profile ?? {
    displayName: user.name,
    ...(user.email !== null && { emails: [{ value: user.email, type: 'work', primary: true }] }),
    ...(user.phone !== null && { phoneNumbers: [{ value: user.phone, type: 'work' }] }),
  };
  return {
    userName: user.username,
    ...(stored?.externalId != null && { externalId: stored.externalId }),
    ...profile,
    active: user.status === 'Activated',
  };
}
