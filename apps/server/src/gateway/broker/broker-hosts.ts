import type { Config } from '../../platform/config/config.ts';

/** Under which names devices reach their broker: that of the portal, and that of a broker of the operator's. */
export function brokerHosts({ broker }: Pick<Config, 'broker'>, publicUrl: string): string[] {
  const urls = [publicUrl, ...(broker.kind === 'external' ? [broker.url] : [])];
  return [...new Set(urls.map((url) => new URL(url).hostname))];
}
