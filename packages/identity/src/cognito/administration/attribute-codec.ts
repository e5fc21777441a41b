import type { PoolUser } from '../../accounts/pool-account-store.ts';
import type { UserGroup } from '../user-pool/group-store.ts';
import { userAttributes } from '../user-pool/user-attributes.ts';
import type { AttributeList } from '../wire/administration-shapes.ts';
import { invalidParameter } from '../wire/wire-error.ts';
import { plainAttributeNames, type UserChange } from '../../administration/user-input.ts';

export interface WireAttribute {
  readonly Name: string;
  readonly Value: string;
}

/** The attributes as the wire lists them; with `names`, only those. */
export function wireAttributes(user: PoolUser, names?: readonly string[]): WireAttribute[] {
  return Object.entries(userAttributes(user))
    .filter(([name]) => names === undefined || names.includes(name))
    .map(([Name, Value]) => ({ Name, Value }));
}

/**
 * A user in the format of AdminCreateUser and ListUsers; AdminGetUser names the list
 * `UserAttributes`.
 */
export function wireUser(user: PoolUser, names?: readonly string[]) {
  return { ...wireUserFacts(user), Attributes: wireAttributes(user, names) };
}

export function wireUserFacts(user: PoolUser) {
  return {
    Username: user.username,
    UserCreateDate: user.createdAt.getTime() / 1_000,
    UserLastModifiedDate: user.modifiedAt.getTime() / 1_000,
    Enabled: user.enabled,
    UserStatus: user.status,
  };
}

export function wireGroup(group: UserGroup, UserPoolId: string) {
  return {
    GroupName: group.name,
    UserPoolId,
    ...(group.description !== null && { Description: group.description }),
    ...(group.roleArn !== null && { RoleArn: group.roleArn }),
    ...(group.precedence !== null && { Precedence: group.precedence }),
    LastModifiedDate: group.modifiedAt.getTime() / 1_000,
    CreationDate: group.createdAt.getTime() / 1_000,
  };
}

/**
 * Parses attributes; an empty value removes an attribute.
 * @throws InvalidParameterException for an attribute that is read-only or does not exist
 */
export function readAttributes(list: AttributeList): UserChange {
  const given = new Map(list.map(({ Name, Value }) => [Name, Value ?? '']));
  const taken = <T>(name: string, read: (value: string) => T): T | undefined => {
    const value = given.get(name);
    given.delete(name);
    return value === undefined ? undefined : read(value);
  };
  const textOrNull = (value: string) => (value === '' ? null : value);
  const change: UserChange = {
    email: taken('email', textOrNull),
    emailVerified: taken('email_verified', readBoolean),
    phoneNumber: taken('phone_number', textOrNull),
    phoneNumberVerified: taken('phone_number_verified', readBoolean),
    name: taken('name', textOrNull),
  };
  const standardAttributes: Record<string, string> = {};
  for (const name of plainAttributeNames) {
    const value = taken(name, (text) => text);
    if (value !== undefined) standardAttributes[name] = value;
  }
  const customAttributes: Record<string, string> = {};
  for (const [name, value] of given) {
    if (name === 'sub') throw invalidParameter('Cannot modify the non-mutable attribute sub');
    if (!/^custom:\w{1,20}$/.test(name)) {
      throw invalidParameter(
        `Attributes did not conform to the schema: Type for attribute {${name}} could not be determined`,
      );
    }
    customAttributes[name.slice('custom:'.length)] = value;
  }
  return {
    ...definedOnly(change),
    ...(Object.keys(standardAttributes).length > 0 && { standardAttributes }),
    ...(Object.keys(customAttributes).length > 0 && { customAttributes }),
  };
}

function readBoolean(value: string): boolean {
  if (!/^(true|false)$/i.test(value)) {
    throw invalidParameter(
      'Attributes did not conform to the schema: a boolean must be true or false',
    );
  }
  return value.toLowerCase() === 'true';
}

function definedOnly(change: UserChange): UserChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
