import { invalidParameter } from '../wire/wire-error.ts';

/** One attribute compared with one value, as ListUsers filters. */
export interface UserFilter {
  readonly attribute: UserFilterAttribute;
  readonly isPrefix: boolean;
  readonly value: string;
}

const attributes = [
  'username',
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'cognito:user_status',
  'status',
  'sub',
] as const;
export type UserFilterAttribute = (typeof attributes)[number];

const FILTER = /^\s*([\w:]+)\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/;

/**
 * Reads `email = "anna@corp.example"` or `name ^= "An"`; a quote in the value is written `\"`.
 * @returns undefined for an empty filter: every user
 * @throws InvalidParameterException
 */
export function parseUserFilter(text: string | undefined): UserFilter | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const [, name, operator, value = ''] = FILTER.exec(text) ?? [];
  const attribute = attributes.find((known) => known === name);
  if (attribute === undefined) throw invalidParameter('Error while parsing filter.');
  return { attribute, isPrefix: operator === '^=', value: value.replaceAll(/\\(.)/g, '$1') };
}
