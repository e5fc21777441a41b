import {
  isWanted,
  type NamedParameter,
  type ParameterPort,
  type ParameterWanted,
} from '../../platform/parameters/parameter-port.ts';

/**
 * The store as it was at an earlier moment: what was found then is not asked for again, so that it says the same however
 * often and late it is read. Only what was not asked for then comes from the store of now.
 */
export function keptParameters(
  port: ParameterPort,
  kept: readonly NamedParameter[],
): ParameterPort {
  // The latest of that moment is what a reference without a version found.
  const latestFirst = kept.toSorted((one, other) => other.version - one.version);
  const find = (one: ParameterWanted) => latestFirst.find((known) => isWanted(known, one));
  return {
    async read(wanted) {
      const found = wanted.map(find).filter((one) => one !== undefined);
      const others = wanted.filter((one) => find(one) === undefined);
      return others.length === 0 ? found : [...found, ...(await port.read(others))];
    },
  };
}
