import type { BrowserConfig } from '@deviceportal/contract/browser-config';

let loading: Promise<BrowserConfig> | undefined;

/** `/api/config`, once a page; a failed try may be repeated. */
export function loadConfig(): Promise<BrowserConfig> {
  loading ??= fetch('/api/config').then((response) => {
    if (!response.ok)
      throw new Error(`The portal's settings answered with HTTP ${response.status}.`);
    return response.json() as Promise<BrowserConfig>;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}
