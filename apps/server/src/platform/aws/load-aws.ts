import { StartError } from '../process/start-error.ts';
import type { AwsPackage } from './aws-package.ts';

/**
 * Loads an adapter of the optional package `@deviceportal/aws`. Call it at the start, so that a
 * missing package stops the start.
 *
 * @param setting the environment variable that requires it
 * @throws StartError if the package is not installed
 */
export async function loadAws<Name extends keyof AwsPackage>(
  name: Name,
  setting: string,
): Promise<AwsPackage[Name]> {
  try {
    return (await import(`@deviceportal/aws/${name}`)) as AwsPackage[Name];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartError(
      `${setting} requires the package aws, which is not installed. Run "npm run add -- aws".`,
      { cause: error },
    );
  }
}
