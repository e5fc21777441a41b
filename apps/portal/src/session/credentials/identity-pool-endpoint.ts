import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { regionOfPool } from './require-region.ts';

/**
 * The endpoint of the identity pool: as configured, otherwise the AWS endpoint of the region in the
 * pool ID.
 */
export function identityPoolEndpoint(
  { identityPoolId, identityPoolEndpoint: endpoint }: BrowserConfig,
  origin: string,
): string {
  if (endpoint !== null) return new URL(endpoint, origin).href;
  const region = regionOfPool(identityPoolId);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://cognito-identity.${region}.${domain}/`;
}
