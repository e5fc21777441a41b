import type { BrowserConfig } from '@deviceportal/contract/browser-config';

let loading: Promise<BrowserConfig> | undefined;

/** Loads `/api/config` once per page. A failed request can be repeated. */
export function loadConfig(): Promise<BrowserConfig> {
  loading ??= fetch('/api/config').then((response) => {
    if (!response.ok)
      throw new Error(`Portal settings request failed with HTTP ${response.status}.`);
    return response.json() as Promise<BrowserConfig>;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}
