import { StartError } from './process/start-error.ts';

/**
 * Loads an optional package, such as `@deviceportal/aws/s3-files`. Call it at the start, so that a
 * missing package stops the start.
 *
 * @param setting the environment variable that requires it
 * @throws StartError if the package is not installed
 */
export async function loadOptional<Exports>(specifier: string, setting: string): Promise<Exports> {
  try {
    return (await import(specifier)) as Exports;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const [, name] = specifier.split('/');
    throw new StartError(
      `${setting} requires the package ${name}, which is not installed. Run "npm run add -- ${name}".`,
      { cause: error },
    );
  }
}
