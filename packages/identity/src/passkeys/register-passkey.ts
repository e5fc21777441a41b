import { randomBytes } from 'node:crypto';
import { newId } from '@deviceportal/contract/ids';
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { inTransaction } from '../database/in-transaction.ts';
import { authenticatorName } from './authenticator-name.ts';
import { registrationResponseSchema } from './ceremony-responses.ts';
import { openChallenge, takeChallenge } from './passkey-challenges.ts';
import { writeNotifiedChange } from './notify-owner.ts';
import { requireRelyingParty, type PasskeyContext } from './passkey-context.ts';
import { PasskeyError } from './passkey-error.ts';
import { ensurePasskeyOwner, findPasskeyOwner, lockPasskeyOwner } from './passkey-owner-store.ts';
import { insertPasskey, listPasskeys, type StoredPasskey } from './passkey-store.ts';
import { CHALLENGE_LIFE_MS, MOST_PASSKEYS, type AddedPasskey } from './passkeys.ts';
import type { PasskeyCaller } from './passkeys.ts';
import { replaceCodes } from './recovery-codes.ts';
import { shownPasskey } from './shown-passkey.ts';

/** COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
const USER_HANDLE_BYTES = 32;

export async function beginRegistration(
  context: PasskeyContext,
  { owner: { id: ownerId } }: PasskeyCaller,
  user: { readonly name: string; readonly displayName: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id: rpID, name: rpName } = requireRelyingParty(context);
  const registered = await listPasskeys(context.db, ownerId);
  if (registered.length >= MOST_PASSKEYS) throw new PasskeyError('tooManyPasskeys');
  const createdAt = new Date(context.clock.now());
  const userHandle = randomBytes(USER_HANDLE_BYTES);
  await ensurePasskeyOwner(context.db, { ownerId, userHandle, createdAt });
  const challenge = await openChallenge(context, { ownerId, purpose: 'registration' });
  const owner = await findPasskeyOwner(context.db, ownerId);
  return generateRegistrationOptions({
    ...{ rpID, rpName, userName: user.name, userDisplayName: user.displayName },
    userID: new Uint8Array(owner?.userHandle ?? userHandle),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    excludeCredentials: registered.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

export async function finishRegistration(
  context: PasskeyContext,
  caller: PasskeyCaller,
  { response, name }: { readonly response: unknown; readonly name: string | undefined },
): Promise<AddedPasskey> {
  const passkey = await verifiedPasskey(context, caller, response);
  const named = { ...passkey, name: name ?? authenticatorName(passkey, caller.userAgent) };
  const ownerId = caller.owner.id;
  return inTransaction(context.db, async (client) => {
    if ((await lockPasskeyOwner(client, ownerId)) === undefined) {
      throw new PasskeyError('challengeEnded');
    }
    const before = await listPasskeys(client, ownerId);
    if (before.length >= MOST_PASSKEYS) throw new PasskeyError('tooManyPasskeys');
    if (!(await insertPasskey(client, named))) throw new PasskeyError('alreadyRegistered');
    await writeNotifiedChange(context, client, caller, {
      detail: 'a passkey was added',
      change: 'passkey-added',
    });
    const recoveryCodes =
      before.length === 0 ? await replaceCodes(context, client, ownerId) : undefined;
    return { passkey: shownPasskey({ ...named, lastUsedAt: null }), recoveryCodes };
  });
}

async function verifiedPasskey(
  context: PasskeyContext,
  { owner: { id: ownerId } }: PasskeyCaller,
  sent: unknown,
): Promise<Omit<StoredPasskey, 'lastUsedAt' | 'name'>> {
  const { registrationInfo: info, transports } = await verify(context, ownerId, sent);
  const { credential } = info;
  return {
    ...{ id: newId(), ownerId, credentialId: credential.id, signCount: credential.counter },
    publicKey: Buffer.from(credential.publicKey),
    transports,
    aaguid: info.aaguid,
    isSynced: info.credentialDeviceType === 'multiDevice',
    isBackedUp: info.credentialBackedUp,
    createdAt: new Date(context.clock.now()),
  };
}

async function verify(
  context: PasskeyContext,
  ownerId: string,
  sent: unknown,
): Promise<
  Extract<VerifiedRegistrationResponse, { verified: true }> & { readonly transports: string[] }
> {
  const party = requireRelyingParty(context);
  const parsed = registrationResponseSchema.safeParse(sent);
  if (!parsed.success) throw new PasskeyError('notVerified', { cause: parsed.error });
  const { id, rawId, type } = parsed.data;
  const { transports = [], ...attested } = parsed.data.response;
  let isOpen: boolean | undefined;
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, clientExtensionResults: {}, response: attested },
    expectedChallenge: async (challenge) =>
      (isOpen = await takeChallenge(context, { ownerId, purpose: 'registration' }, challenge)),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => {
    throw new PasskeyError(isOpen === false ? 'challengeEnded' : 'notVerified', { cause });
  });
  if (!verified.verified) throw new PasskeyError('notVerified');
  return { ...verified, transports };
}
