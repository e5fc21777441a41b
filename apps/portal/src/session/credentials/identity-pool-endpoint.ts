import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { regionOfPool } from './require-region.ts';

/**
 * Where the identity pool answers: the configured endpoint, else AWS's own of the pool's region, with which its id
 * begins.
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
