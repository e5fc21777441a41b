import type { GroupOfUser } from './group-store.ts';

/**
 * `cognito:roles` and `cognito:preferred_role` of a person's groups. The role of the group that comes first is the
 * preferred one; where several groups with different roles come first, none is (as a hosted pool does it).
 */
export function roleClaims(groups: readonly GroupOfUser[]): Record<string, string | string[]> {
  const withRole = groups.flatMap(({ roleArn, precedence }) =>
    roleArn === null ? [] : [{ roleArn, rank: precedence ?? Infinity }],
  );
  if (withRole.length === 0) return {};
  const firstRank = Math.min(...withRole.map(({ rank }) => rank));
  const first = new Set(
    withRole.filter(({ rank }) => rank === firstRank).map(({ roleArn }) => roleArn),
  );
  const [preferred] = first;
  return {
    'cognito:roles': [...new Set(withRole.map(({ roleArn }) => roleArn))],
    ...(first.size === 1 && preferred !== undefined && { 'cognito:preferred_role': preferred }),
  };
}
