import type { Config } from '../../platform/config/config.ts';

/** Host names in the broker's certificate: that of the portal, and that of an external broker. */
export function brokerHosts({ broker }: Pick<Config, 'broker'>, publicUrl: string): string[] {
  const urls = [publicUrl, ...(broker.kind === 'external' ? [broker.url] : [])];
  return [...new Set(urls.map((url) => new URL(url).hostname))];
}
