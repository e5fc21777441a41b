import { randomUUID } from 'node:crypto';
import { isFamiliarPlace, rememberPlace } from './familiar-place-store.ts';
import type { SignInPlace } from '../triggers/challenge-triggers.ts';
import type { PoolContext } from './pool-context.ts';
import { addressBucket } from '@deviceportal/contract/address-bucket';

/** How long a place is known after a sign-in. */
export const FAMILIAR_MS = 90 * 86_400_000;

type PlaceContext = Pick<PoolContext, 'pool' | 'clock' | 'hash'>;

/**
 * The place of a sign-in for the limits of codes. Also looked up for unknown users, so that timing
 * reveals nothing.
 */
export async function signInPlaceOf(
  context: PlaceContext,
  { sub = randomUUID(), address }: { readonly sub: string | undefined; readonly address: string },
): Promise<SignInPlace> {
  const placeHash = placeHashOf(context, address);
  const since = new Date(context.clock.now() - FAMILIAR_MS);
  const isFamiliar = await isFamiliarPlace(context.pool, { sub, placeHash, since });
  return { name: placeHash.toString('base64url'), isFamiliar };
}

/** After a sign-in: the person is known there. */
export async function makeFamiliar(
  context: PlaceContext,
  { sub, address }: { readonly sub: string; readonly address: string },
): Promise<void> {
  const placeHash = placeHashOf(context, address);
  await rememberPlace(context.pool, { sub, placeHash }, new Date(context.clock.now()));
}

function placeHashOf({ hash }: PlaceContext, address: string): Buffer {
  return hash('place', addressBucket(address));
}
