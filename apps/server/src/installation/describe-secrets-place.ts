import type { SecretsPlaceView } from '@deviceportal/contract/installation';
import type { SecretsPlace } from '../platform/config/secrets-place.ts';

/** The place of the secrets, as administrators see it. */
export function describeSecretsPlace(place: SecretsPlace): SecretsPlaceView {
  if (place.kind === 'file') return { kind: 'file', name: null };
  const name = place.kind === 'kms' ? place.keyArn : (place.arn ?? place.prefix);
  return { kind: place.kind, name };
}
