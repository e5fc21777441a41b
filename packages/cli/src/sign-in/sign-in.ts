import { text } from 'node:stream/consumers';
import { ApiClient } from '../api/api-client.ts';
import { CliError } from '../cli-error.ts';
import { portalUrlOf } from '../config/portal-url.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { OAuthClient } from './oauth-client.ts';
import { waitForApproval } from './wait-for-approval.ts';

/** What the approval page selects; the user can change it there. */
const DEFAULT_PERMISSIONS = [
  'devices:read',
  'people:read',
  'commands:read',
  'documents:read',
  'versions:read',
  'cases:read',
  'commands:run:@reads',
] as const;

export interface SignInOptions {
  readonly token?: boolean;
  readonly permission?: readonly string[];
}

/** Signs in to a portal: by a code that a user approves, or with a token that exists. */
export async function signIn(session: Session, url: string, options: SignInOptions): Promise<void> {
  const portal = portalUrlOf(url);
  const token = options.token
    ? await readToken(session)
    : await signInByCode(session, portal, options.permission ?? DEFAULT_PERMISSIONS);
  const { kind, name, user, expiresAt } = await new ApiClient(portal, token).call('getToken');
  await session.signIns.store(portal, { token, expiresAt });
  const { printer } = session;
  if (printer.isJson) printer.json({ portal, kind, name, user, expiresAt });
  else printer.line(`Signed in to ${portal} as ${user ?? name} until ${expiresAt}.`);
}

async function signInByCode(
  { printer }: Session,
  portal: string,
  permissions: readonly string[],
): Promise<string> {
  const oauth = await OAuthClient.discover(portal);
  const codes = await oauth.start(permissions);
  const minutes = Math.round(codes.expires_in / 60);
  printer.note(`Open ${codes.verification_uri} in a browser, and enter the code:`);
  printer.note(`\n    ${codes.user_code}\n`);
  printer.note(`Or open ${codes.verification_uri_complete} and compare the code.`);
  printer.note(`The code is valid for ${minutes} minutes. Waiting for approval …`);
  return waitForApproval(oauth, codes);
}

/** From the environment or the standard input, because arguments are visible to other users of the machine. */
async function readToken({ context: { env, stdin } }: Session): Promise<string> {
  const given = env['DEVICEPORTAL_TOKEN'] || (stdin.isTTY === true ? '' : await text(stdin));
  const token = given.trim();
  if (token !== '') return token;
  throw new CliError(
    'There is no token. Send it to the standard input, or set DEVICEPORTAL_TOKEN.',
    { exitCode: exitCodes.usage },
  );
}
