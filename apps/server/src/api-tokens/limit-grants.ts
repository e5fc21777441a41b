import { mayHoldByToken } from '@deviceportal/contract/api-tokens';
import type { Grant, Scope } from '@deviceportal/contract/permissions';

/**
 * What a personal token can do: the permissions that the token and its owner have, on the devices that both reach.
 * Evaluated with every request, so a token never has more than its owner has at the time.
 */
export function limitGrants(owned: readonly Grant[], token: Grant): Grant[] {
  return owned.flatMap((grant) => {
    const scope = commonScope(grant.scope, token.scope);
    const permissions = grant.permissions.filter((each) => token.permissions.includes(each));
    return scope === undefined ? [] : availableToTokens([{ permissions, scope }]);
  });
}

/** What a token can have of some grants, whatever they contain. */
export function availableToTokens(grants: readonly Grant[]): Grant[] {
  return grants.flatMap(({ permissions, scope }) => {
    const available = permissions.filter(mayHoldByToken);
    return available.length === 0 ? [] : [{ permissions: available, scope }];
  });
}

/** The devices that both scopes reach; undefined if that is none. */
function commonScope(one: Scope, other: Scope): Scope | undefined {
  const countries = common(one.countries, other.countries);
  const models = common(one.models, other.models);
  const isContradictory = Object.entries(one.labels).some(
    ([key, value]) => Object.hasOwn(other.labels, key) && other.labels[key] !== value,
  );
  if (countries === undefined || models === undefined || isContradictory) return undefined;
  return { countries, models, labels: { ...one.labels, ...other.labels } };
}

/** An empty list is no restriction. */
function common(one: readonly string[], other: readonly string[]): readonly string[] | undefined {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const both = one.filter((value) => other.includes(value));
  return both.length === 0 ? undefined : both;
}
