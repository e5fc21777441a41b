import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { keepSignedIn } from './read-user.ts';
import type { User } from './user.ts';
import { CHANGED_USER } from './user-selections.ts';

const UPDATE_PHONE = operation(
  'mutation',
  'updatePhone',
  {
    phone: 'String!',
    phoneCode: 'String!',
    oldPhone: 'String',
    oldPhoneCode: 'String',
    phoneCountryCode: 'String',
    oldPhoneCountryCode: 'String',
  },
  CHANGED_USER,
);
const UPDATE_EMAIL = operation(
  'mutation',
  'updateEmail',
  { email: 'String!', emailCode: 'String!', oldEmail: 'String', oldEmailCode: 'String' },
  CHANGED_USER,
);
const BIND_PHONE = operation(
  'mutation',
  'bindPhone',
  { phone: 'String!', phoneCode: 'String!', phoneCountryCode: 'String' },
  CHANGED_USER,
);
const BIND_EMAIL = operation(
  'mutation',
  'bindEmail',
  { email: 'String!', emailCode: 'String!' },
  CHANGED_USER,
);
const UNBIND_PHONE = operation('mutation', 'unbindPhone', {}, CHANGED_USER);
const UNBIND_EMAIL = operation('mutation', 'unbindEmail', {}, CHANGED_USER);

export interface NewPhone {
  readonly phone: string;
  readonly phoneCode: string;
  readonly phoneCountryCode?: string | undefined;
}

/** Replacing an existing number also requires a code sent to it. */
export interface ReplacedPhone extends NewPhone {
  readonly oldPhone?: string | undefined;
  readonly oldPhoneCode?: string | undefined;
  readonly oldPhoneCountryCode?: string | undefined;
}

export interface NewEmail {
  readonly email: string;
  readonly emailCode: string;
}

/** Replacing an existing address also requires a code sent to it. */
export interface ReplacedEmail extends NewEmail {
  readonly oldEmail?: string | undefined;
  readonly oldEmailCode?: string | undefined;
}

type Change<Input> = (client: IdentityClient, input: Input, options?: CallOptions) => Promise<User>;
type Removal = (client: IdentityClient, options?: CallOptions) => Promise<User>;

/** Changes the current user's phone number. */
export const updatePhone: Change<ReplacedPhone> = (client, input, options) =>
  change(client, UPDATE_PHONE, { ...input }, options);

/** Changes the current user's email address. */
export const updateEmail: Change<ReplacedEmail> = (client, input, options) =>
  change(client, UPDATE_EMAIL, { ...input }, options);

/** Adds a phone number to the current user's account. */
export const bindPhone: Change<NewPhone> = (client, input, options) =>
  change(client, BIND_PHONE, { ...input }, options);

/** Adds an email address to the current user's account. */
export const bindEmail: Change<NewEmail> = (client, input, options) =>
  change(client, BIND_EMAIL, { ...input }, options);

/** Removes the current user's phone number. */
export const unbindPhone: Removal = (client, options) => change(client, UNBIND_PHONE, {}, options);

/** Removes the current user's email address. */
export const unbindEmail: Removal = (client, options) => change(client, UNBIND_EMAIL, {}, options);

async function change(
  client: IdentityClient,
  chosen: typeof BIND_PHONE,
  variables: Readonly<Record<string, unknown>>,
  { signal }: CallOptions = {},
): Promise<User> {
  return keepSignedIn(client, await client.graphql({ operation: chosen, variables, signal }));
}
