import type { MissingPlugInError, PlugInName } from '@deviceportal/identity/plug-ins';
import { StartError } from '../platform/process/start-error.ts';

const packages: Readonly<Record<PlugInName, { readonly setting: string; readonly add: string }>> = {
  face: { setting: 'DEVICEPORTAL_IDP_FACE', add: 'npm run add -- identity-face' },
  realName: { setting: 'DEVICEPORTAL_IDP_REAL_NAME', add: 'npm run add -- identity-real-name' },
};

/** The start error for a required package that is not installed. */
export function asMissingPackage(error: MissingPlugInError): StartError {
  const { add, setting } = packages[error.plugIn];
  return new StartError(
    `${setting} is "required", but the package is not installed. Run "${add}", or set ${setting} to "if-installed" or "off".`,
    { cause: error },
  );
}

/** One start log line for each optional package that is not used. */
export function describeUnusedPackages(
  isUsed: Readonly<Record<PlugInName, boolean>>,
  uses: Readonly<Record<PlugInName, string>>,
): readonly string[] {
  const lines = {
    face: 'Face recognition is off. Requests are rejected with 2601',
    realName: 'Real-name authentication is off. Requests are rejected with 2806',
  };
  return (Object.keys(lines) as PlugInName[])
    .filter((name) => !isUsed[name])
    .map((name) =>
      uses[name] === 'off'
        ? `${lines[name]} (${packages[name].setting}=off)`
        : `${lines[name]}. To install it: ${packages[name].add}`,
    );
}
