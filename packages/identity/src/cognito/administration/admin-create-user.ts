import type { MessageChannel, Messenger } from '../../messenger.ts';
import type { PoolUser } from '../../accounts/pool-account-store.ts';
import { findUserByIdentifier } from '../../accounts/pool-account-store.ts';
import { parseIdentifier } from '../user-pool/identifier.ts';
import type { AdminCreateUserInput } from '../wire/administration-shapes.ts';
import { invalidParameter, WireError } from '../wire/wire-error.ts';
import type { AdministrationContext } from '../../administration/administer.ts';
import type { ActOrigin } from '../../administration/administration-act.ts';
import { readAttributes, wireUser } from './attribute-codec.ts';
import { userDoesNotExist } from './find-subject.ts';
import { requirePassword } from './password-policy.ts';
import { inWireWords } from './translate-refusal.ts';
import type { UserAdministration } from '../../administration/user-administration.ts';

export interface AdminCreateUserContext extends AdministrationContext {
  readonly users: UserAdministration;
  readonly messenger: Messenger;
}

/**
 * Creates a user and sends an invitation, unless it is suppressed. Without a temporary password,
 * the user is confirmed immediately, as in a pool with other sign-in factors than passwords
 * (cognito.md, section 3).
 */
export async function adminCreateUser(
  context: AdminCreateUserContext,
  input: AdminCreateUserInput,
  origin: ActOrigin,
): Promise<object> {
  if (input.ForceAliasCreation === true) {
    throw invalidParameter('ForceAliasCreation is not supported: an address stays with its user.');
  }
  if (input.MessageAction === 'RESEND') return resend(context, input);
  if (input.TemporaryPassword !== undefined) requirePassword(input.TemporaryPassword);
  const { email, phoneNumber, name, ...attributes } = readAttributes(input.UserAttributes);
  const user = await inWireWords(
    context.users.createUser(
      {
        emailVerified: false,
        phoneNumberVerified: false,
        ...attributes,
        ...(email && { email }),
        ...(phoneNumber && { phoneNumber }),
        ...(name && { name }),
        username: input.Username,
        status: input.TemporaryPassword === undefined ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD',
      },
      origin,
    ),
  );
  if (input.MessageAction !== 'SUPPRESS') await invite(context, user, input);
  return { User: wireUser(user) };
}

async function resend(
  context: AdminCreateUserContext,
  input: AdminCreateUserInput,
): Promise<object> {
  const user = await findUserByIdentifier(context.pool, parseIdentifier(input.Username));
  if (user === undefined) throw userDoesNotExist();
  if (user.status !== 'FORCE_CHANGE_PASSWORD') {
    throw new WireError(
      'UnsupportedUserStateException',
      `Resend not possible. ${user.username} status is not FORCE_CHANGE_PASSWORD`,
    );
  }
  await invite(context, user, input);
  return { User: wireUser(user) };
}

/**
 * Sends to the first address of the requested media. A user without any is created anyway, as on
 * AWS.
 */
async function invite(
  { messenger, settings }: AdminCreateUserContext,
  user: PoolUser,
  { DesiredDeliveryMediums }: AdminCreateUserInput,
): Promise<void> {
  const addresses: readonly (readonly [MessageChannel, string | null])[] = [
    ['email', user.email],
    ['sms', user.phoneNumber],
  ];
  const media = (DesiredDeliveryMediums ?? ['EMAIL', 'SMS']).map((medium) => medium.toLowerCase());
  const found = addresses.find(([channel, to]) => to !== null && media.includes(channel));
  if (found?.[1] === undefined || found[1] === null) return;
  const attributes = user.standardAttributes;
  try {
    await messenger.send({
      kind: 'welcome',
      to: found[1],
      channel: found[0],
      person: user.sub,
      username: user.username,
      portalUrl: new URL(settings.issuer).origin,
      locale: attributes['locale'] ?? user.customAttributes['locale'],
      timeZone: attributes['zoneinfo'],
    });
  } catch (error) {
    throw new WireError('CodeDeliveryFailureException', 'The invitation could not be delivered.', {
      cause: error,
    });
  }
}
