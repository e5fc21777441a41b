import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The address of a portal in its normal form. A token is sent over https only, except to this machine.
 * @throws CliError for another address
 */
export function portalUrlOf(text: string): string {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) throw invalid(`${text} is not an address.`);
  const { protocol, hostname, origin, username, password } = new URL(withScheme);
  if (username !== '' || password !== '') {
    throw invalid('The address must not contain a user name or a password.');
  }
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return origin;
  throw invalid(`${text} is not an https address. Tokens are not sent without encryption.`);
}

const invalid = (message: string): CliError => new CliError(message, { exitCode: exitCodes.usage });
