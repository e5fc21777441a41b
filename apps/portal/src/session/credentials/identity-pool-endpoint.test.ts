import { expect, it } from 'vitest';
import { identityPoolEndpoint } from './identity-pool-endpoint.ts';
import { requireRegion } from './require-region.ts';

const endpointOf = (identityPoolId: string, endpoint: string | null = null): string =>
  identityPoolEndpoint(
    { identityPoolId, identityPoolEndpoint: endpoint } as Parameters<
      typeof identityPoolEndpoint
    >[0],
    'https://portal.example',
  );
const uuid = '6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10';

it.each([
  ['us-east-1', 'https://cognito-identity.us-east-1.amazonaws.com/'],
  ['cn-north-1', 'https://cognito-identity.cn-north-1.amazonaws.com.cn/'],
])('without an endpoint, a pool in %s is requested at %s', (region, url) => {
  expect(endpointOf(`${region}:${uuid}`)).toBe(url);
});

it('an endpoint on the same origin is a path', () => {
  expect(endpointOf(`us-east-1:${uuid}`, '/identity')).toBe('https://portal.example/identity');
});

it.each([undefined, '', 'us east', 'evil.example/', '-a', 'a-'])(
  'rejects %j as region',
  (region) => {
    expect(() => requireRegion(region)).toThrow(TypeError);
  },
);
