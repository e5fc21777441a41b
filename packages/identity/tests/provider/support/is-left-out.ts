import { isPlugInInstalled, type PlugInName } from '../../../src/plug-ins/plug-ins.ts';

/**
 * True where tests of an optional package are left out: it is not installed, and this is not CI, where that is a failure.
 * `npm test` names what is missing.
 */
export function isLeftOut(plugIn: PlugInName): boolean {
  return !process.env['CI'] && !isPlugInInstalled(plugIn);
}
