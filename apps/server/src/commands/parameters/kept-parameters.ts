import {
  isWanted,
  type NamedParameter,
  type ParameterPort,
  type ParameterWanted,
} from '../../platform/parameters/parameter-port.ts';

/**
 * A parameter store with the values of an earlier moment: references resolved then are not resolved again, so results
 * do not change. Other references are resolved by the current store.
 */
export function keptParameters(
  port: ParameterPort,
  kept: readonly NamedParameter[],
): ParameterPort {
  // A reference without a version was resolved to the latest one.
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
