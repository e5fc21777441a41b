import type { Config } from '../../platform/config/config.ts';

/** Host names in the broker's certificate: those of the portal and of all brokers. */
export function brokerHosts(
  { broker, deviceConnection }: Pick<Config, 'broker' | 'deviceConnection'>,
  publicUrl: string,
): string[] {
  const urls = [
    publicUrl,
    ...('urls' in broker ? broker.urls : []),
    ...(deviceConnection.brokerUrls ?? []),
  ];
  return [...new Set(urls.map((url) => new URL(url).hostname))];
}
