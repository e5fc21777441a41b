import { PortalError } from '@deviceportal/contract/errors';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';

/**
 * Converts errors of the provider to portal errors.
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
