import type { MissingPlugInError, PlugInName } from '@deviceportal/identity/plug-ins';
import { StartError } from '../platform/process/start-error.ts';

const packages: Readonly<Record<PlugInName, { readonly setting: string; readonly add: string }>> = {
  face: { setting: 'DEVICEPORTAL_IDP_FACE', add: 'npm run add -- identity-face' },
  realName: { setting: 'DEVICEPORTAL_IDP_REAL_NAME', add: 'npm run add -- identity-real-name' },
};

/** What to do about a package that the configuration requires and that is not installed. */
export function asMissingPackage(error: MissingPlugInError): StartError {
  const { add, setting } = packages[error.plugIn];
  return new StartError(
    `${setting}=required, and the package is not installed: run "${add}", or set ${setting} to if-installed or off.`,
    { cause: error },
  );
}

/** One line for the start log for each optional package that is not used. */
export function describeUnusedPackages(
  isUsed: Readonly<Record<PlugInName, boolean>>,
  uses: Readonly<Record<PlugInName, string>>,
): readonly string[] {
  const lines = {
    face: 'face recognition is off: faces are refused with 2601',
    realName: 'real-name authentication is off: it is refused with 2806',
  };
  return (Object.keys(lines) as PlugInName[])
    .filter((name) => !isUsed[name])
    .map((name) =>
      uses[name] === 'off'
        ? `${lines[name]} (${packages[name].setting}=off)`
        : `${lines[name]}; to add it: ${packages[name].add}`,
    );
}
