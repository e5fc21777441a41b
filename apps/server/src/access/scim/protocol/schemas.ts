import { GROUP_SCHEMA } from './group-resource.ts';
import { MOST_RESULTS } from './list-response.ts';
import { USER_SCHEMA } from './user-resource.ts';

const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable';
  readonly returned?: 'default' | 'request';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly object[];
  readonly referenceTypes?: readonly string[];
}

/** An attribute in the form of RFC 7643, section 7. */
const attribute = (name: string, description: string, options: AttributeOptions = {}): object => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  ...(options.type !== 'complex' &&
    options.type !== 'boolean' && { caseExact: false, uniqueness: 'none' }),
  ...options,
});

const addresses = (name: string, description: string): object =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address or number.', { required: true }),
      attribute('type', 'A label: work, home.'),
      attribute('primary', 'Whether codes are sent here.', { type: 'boolean' }),
    ],
  });

const reference = (name: string, type: 'User' | 'Group'): object =>
  attribute(name, `The URL of the ${type.toLowerCase()}.`, {
    type: 'reference',
    referenceTypes: [type],
    mutability: 'readOnly',
  });

const userSchema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'A user of Device Portal',
  attributes: [
    attribute('userName', 'The name with which the user signs in. It is permanent.', {
      required: true,
      mutability: 'immutable',
      uniqueness: 'server',
    }),
    attribute('name', 'Parts of the name.', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The full name.'),
        attribute('givenName', 'The first name.'),
        attribute('familyName', 'The last name.'),
      ],
    }),
    attribute('displayName', 'The name that is shown.'),
    attribute('active', 'Whether the user has access.', { type: 'boolean' }),
    addresses('emails', 'Email addresses. The primary one receives codes.'),
    addresses('phoneNumbers', 'Phone numbers. The primary one receives codes.'),
    attribute('groups', 'The roles of the user. Change the members of the group instead.', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        attribute('value', 'The ID of the role.', { mutability: 'readOnly' }),
        reference('$ref', 'Group'),
        attribute('display', 'The name of the role.', { mutability: 'readOnly' }),
        attribute('type', 'Always direct.', { mutability: 'readOnly' }),
      ],
    }),
  ],
};

const groupSchema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'A role of Device Portal',
  attributes: [
    attribute('displayName', 'The name of the role. It is changed in the portal.', {
      required: true,
      mutability: 'immutable',
    }),
    attribute('members', 'The users with this role.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The ID of the user.', { mutability: 'immutable', required: true }),
        reference('$ref', 'User'),
        attribute('display', 'The username.', { mutability: 'readOnly' }),
        attribute('type', 'Always User.', { mutability: 'readOnly' }),
      ],
    }),
  ],
};

/** RFC 7644, section 4, by the last part of the path. */
export function schemasAt(baseUrl: string): readonly (object & { readonly id: string })[] {
  return [userSchema, groupSchema].map((schema) => ({
    schemas: [SCHEMA_SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  }));
}

export function resourceTypesAt(baseUrl: string): readonly (object & { readonly id: string })[] {
  return (['User', 'Group'] as const).map((name) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: name === 'User' ? userSchema.description : groupSchema.description,
    schema: name === 'User' ? USER_SCHEMA : GROUP_SCHEMA,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  }));
}

export const serviceProviderConfigAt = (baseUrl: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token from Access, Directory sync.',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${baseUrl}/ServiceProviderConfig`,
  },
});
