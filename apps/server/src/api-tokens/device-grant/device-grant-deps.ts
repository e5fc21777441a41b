import type { ApiTokensDeps } from '../api-tokens-deps.ts';

export interface DeviceGrantDeps extends ApiTokensDeps {
  readonly publicUrl: string;
}
