/** @throws TypeError where there is none, or one that cannot stand in a host name (docs/design/portal.md, section 5) */
export function requireRegion(region: string | undefined): string {
  if (region === undefined || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(region))
    throw new TypeError('A region must be present and hostname-like.');
  return region;
}

/** The region with which the id of an identity pool begins. */
export function regionOfPool(identityPoolId: string | null): string {
  return requireRegion(identityPoolId?.split(':', 1)[0]);
}
