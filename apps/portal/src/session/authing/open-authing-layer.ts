import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { languageState } from '../../i18n/language-store.ts';
import type { SignInLayer } from '../sign-in-layer.ts';
import { createAuthingLayer } from './authing-layer.ts';
import { authingOperations } from './authing-operations.ts';
import { createAuthingTokenStore, type KeyValueStorage } from './authing-token-store.ts';

/** Opens the sign-in layer of the external provider. */
export function openAuthingLayer(config: BrowserConfig, tokens: KeyValueStorage): SignInLayer {
  if (config.authing === null) throw new Error('The external provider is not configured.');
  const { host, appId } = config.authing;
  return createAuthingLayer({
    operations: authingOperations(() => ({
      appHost: new URL(host, location.origin).href,
      appId,
      lang: languageState().language === 'zh-CN' ? 'zh-CN' : 'en-US',
    })),
    store: createAuthingTokenStore({ tokens, users: localStorage }),
    codeLength: config.codeLength,
    nowMs: () => Date.now(),
  });
}
