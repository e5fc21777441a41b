/**
 * @throws TypeError if the region is missing or not valid in a host name (docs/design/portal.md,
 * section 5).
 */
export function requireRegion(region: string | undefined): string {
  if (region === undefined || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(region))
    throw new TypeError('The region is missing or not valid in a host name.');
  return region;
}

/** The region in the ID of an identity pool. */
export function regionOfPool(identityPoolId: string | null): string {
  return requireRegion(identityPoolId?.split(':', 1)[0]);
}
