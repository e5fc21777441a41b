import type { FindWrongNumber, RealNamePackage } from './real-name-package.ts';

/** The optional packages, by what they add. */
export const plugInPackages = {
  face: '@deviceportal/identity-face',
  realName: '@deviceportal/identity-real-name',
} as const;

export type PlugInName = keyof typeof plugInPackages;

/** `if-installed`: used if installed; `required`: the start fails without it; `off`: not used. */
export type PlugInUse = 'if-installed' | 'required' | 'off';

/** Features of the optional packages. */
export interface PlugIns {
  /** Faces can be bound and compared; the model is loaded with the first photo. */
  readonly face: boolean;
  /** Undefined: real names cannot be authenticated. */
  readonly findWrongNumber: FindWrongNumber | undefined;
}

/** A required package is not installed. */
export class MissingPlugInError extends Error {
  override readonly name = 'MissingPlugInError';
  readonly plugIn: PlugInName;

  constructor(plugIn: PlugInName) {
    super(`${plugInPackages[plugIn]} is required but not installed`);
    this.plugIn = plugIn;
  }
}

/**
 * Loads what is installed and not turned off.
 * @throws MissingPlugInError
 */
export async function loadPlugIns(uses: Readonly<Record<PlugInName, PlugInUse>>): Promise<PlugIns> {
  const isUsed = (plugIn: PlugInName): boolean => {
    if (uses[plugIn] === 'off') return false;
    const isInstalled = isPlugInInstalled(plugIn);
    if (!isInstalled && uses[plugIn] === 'required') throw new MissingPlugInError(plugIn);
    return isInstalled;
  };
  const face = isUsed('face');
  const realName = isUsed('realName')
    ? ((await import(plugInPackages.realName)) as RealNamePackage)
    : undefined;
  return { face, findWrongNumber: realName?.findWrongNumber };
}

export function isPlugInInstalled(plugIn: PlugInName): boolean {
  try {
    import.meta.resolve(plugInPackages[plugIn]);
    return true;
  } catch {
    return false;
  }
}
