import { PortalError } from '@deviceportal/contract/errors';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';

/**
 * What the provider's parts refuse, as administrators are told.
 * @throws PortalError userAlreadyExists
 */
export async function inPortalWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderError && error.refusal.code === refusals.userExists.code) {
      throw new PortalError('userAlreadyExists', { cause: error });
    }
    throw error;
  }
}
