import type { RotatingKeyRing } from '../platform/secrets/signing-key-ring.ts';
import { StartError } from '../platform/process/start-error.ts';
import { prepareKey, promoteKey, withdrawKey, type RingChange } from './change-ring.ts';
import { ANNOUNCED_DAYS, DAY_MS } from './rotate-due-rings.ts';

/** @returns a message for the operator */
export async function announceNextKey(change: RingChange): Promise<string> {
  const { ring } = change;
  const { next } = ring;
  if (next !== undefined) {
    return `The key ${next.keyId} is already announced and signs from ${signsFrom(ring)}.`;
  }
  const keyId = await prepareKey(change);
  return `The key ${keyId} is announced to devices and signs from ${signsFrom(ring)}.`;
}

/**
 * Creates the next key, if there is none, and signs with it. Connected devices receive the key within two minutes,
 * others when they connect.
 */
export async function useNextKey(change: RingChange): Promise<string> {
  if (change.ring.next === undefined) await prepareKey(change);
  const keyId = await promoteKey(change);
  return `The key ${keyId} signs from now on. Devices accept signatures of the previous key for some weeks.`;
}

/** @throws StartError if the ring has no such key, or it has not signed yet */
export async function withdrawOneKey(change: RingChange, keyId: string): Promise<string> {
  await withdrawKey(change, keyId).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new StartError(
      `The key ${keyId} cannot be withdrawn. List the keys with list-device-keys.`,
    );
  });
  return `The key ${keyId} is withdrawn. ${change.ring.current.keyId} signs now. Signatures of the withdrawn key are rejected. Request queued runs again, sign schedules again, and plan rollouts again.`;
}

/** A line for each key: id, age, and state. */
export function listKeys({ ring }: RingChange): string {
  const stateOf = (keyId: string): string => {
    if (keyId === ring.current.keyId) return 'signs';
    if (keyId === ring.next?.keyId) return `signs from ${signsFrom(ring)}`;
    if (ring.withdrawn.includes(keyId)) return 'withdrawn';
    return ring.pinned.some((key) => key.keyId === keyId) ? 'accepted by devices' : 'expired';
  };
  return ring.known
    .map(({ keyId, since }) => `${keyId}  since ${since.toISOString()}  ${stateOf(keyId)}`)
    .join('\n');
}

const signsFrom = ({ next }: RotatingKeyRing): string =>
  new Date((next?.since.getTime() ?? 0) + ANNOUNCED_DAYS * DAY_MS).toISOString();
