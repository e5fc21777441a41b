import { randomUUID } from 'node:crypto';
import { isFamiliarPlace, rememberPlace } from './familiar-place-store.ts';
import type { SignInPlace } from '../triggers/challenge-triggers.ts';
import type { PoolContext } from './pool-context.ts';
import { addressBucket } from '@deviceportal/contract/address-bucket';

/** A place where somebody signed in stays familiar for as long as this. */
export const FAMILIAR_MS = 90 * 86_400_000;

type PlaceContext = Pick<PoolContext, 'pool' | 'clock' | 'hash'>;

/**
 * Where a sign-in comes from, as the limits of codes need it. Looked up also when there is no such user: the time it
 * takes must not tell.
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
