import { ProviderError } from './provider-error.ts';
import { refusals } from './refusals.ts';

/** For what a parser complains about, which is in the client's bytes. @throws ProviderError always */
export function malformed(): never {
  throw new ProviderError(refusals.invalidParameters);
}
