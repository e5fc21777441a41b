import { PortalError } from '@deviceportal/contract/errors';
import { invalidParameter, WireError } from '../wire/wire-error.ts';
import { userDoesNotExist } from './find-subject.ts';

/** Converts errors of the administration to those of the protocol (cognito.md, section 3). */
export async function inWireWords<T>(
  work: Promise<T>,
  options: { readonly aliasTaken: 'UsernameExistsException' | 'AliasExistsException' } = {
    aliasTaken: 'UsernameExistsException',
  },
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PortalError ? translate(error, options.aliasTaken) : error;
  }
}

function translate(
  error: PortalError,
  aliasTaken: 'UsernameExistsException' | 'AliasExistsException',
): Error {
  switch (error.errorName) {
    case 'userAlreadyExists':
      return takenError(String(error.facts['attribute']), aliasTaken);
    case 'notFound':
      return error.facts['group'] === undefined
        ? userDoesNotExist()
        : new WireError('ResourceNotFoundException', 'Group not found.');
    case 'invalidParameters':
      return invalidParameter(invalidText(String(error.issues[0]?.path[0] ?? '')));
    default:
      return error;
  }
}

function takenError(
  attribute: string,
  aliasTaken: 'UsernameExistsException' | 'AliasExistsException',
): WireError {
  if (attribute === 'username') {
    return new WireError('UsernameExistsException', 'User account already exists');
  }
  const word = attribute === 'email' ? 'email' : 'phone_number';
  return new WireError(aliasTaken, `An account with the given ${word} already exists.`);
}

function invalidText(field: string): string {
  if (field === 'email') return 'Invalid email address format.';
  if (field === 'phoneNumber') return 'Invalid phone number format.';
  return `Attributes did not conform to the schema: ${field}`;
}
