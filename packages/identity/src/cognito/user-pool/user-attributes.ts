import type { PoolUser } from '../../accounts/pool-account-store.ts';

/** The attributes in the wire's spelling, every value a string (cognito.md, GetUser). */
export function userAttributes(user: PoolUser): Record<string, string> {
  const attributes: Record<string, string> = { sub: user.sub };
  if (user.email !== null) {
    attributes['email'] = user.email;
    attributes['email_verified'] = String(user.emailVerified);
  }
  if (user.phoneNumber !== null) {
    attributes['phone_number'] = user.phoneNumber;
    attributes['phone_number_verified'] = String(user.phoneNumberVerified);
  }
  if (user.name !== null) attributes['name'] = user.name;
  Object.assign(attributes, user.standardAttributes);
  for (const [name, value] of Object.entries(user.customAttributes)) {
    attributes[`custom:${name}`] = value;
  }
  return attributes;
}

/** The same attributes as claims of an id token: the two `_verified` ones are booleans there (cognito.md, section 5). */
export function attributeClaims(user: PoolUser): Record<string, string | boolean> {
  const { sub: _sub, ...attributes } = userAttributes(user);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) =>
      name === 'email_verified' || name === 'phone_number_verified'
        ? [name, value === 'true']
        : [name, value],
    ),
  );
}
