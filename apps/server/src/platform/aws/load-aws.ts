import { loadOptional } from '../load-optional.ts';
import type { AwsPackage } from './aws-package.ts';

/**
 * Loads an adapter of the optional package `@deviceportal/aws`.
 *
 * @param setting the environment variable that requires it
 * @throws StartError if the package is not installed
 */
export const loadAws = <Name extends keyof AwsPackage>(
  name: Name,
  setting: string,
): Promise<AwsPackage[Name]> => loadOptional(`@deviceportal/aws/${name}`, setting);
