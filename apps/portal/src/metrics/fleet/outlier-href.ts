import type { MetricName } from '@deviceportal/contract/device-metrics';
import type { MetricGroup, MetricGrouping } from '@deviceportal/contract/metric-distribution';
import { encodeFilter } from '../../ui/filter-codec.ts';

/** The device list with the devices of a group whose value is at least, or at most, the fence. */
export function outlierHref(
  metric: MetricName,
  by: MetricGrouping,
  group: Pick<MetricGroup, 'name' | 'component'>,
  { operator, limit }: { readonly operator: '>=' | '<='; readonly limit: number },
): string {
  const ofGroup =
    by === 'version'
      ? { key: 'software', values: [`${group.component ?? ''}:${group.name}`] }
      : { key: by, values: [group.name] };
  const q = encodeFilter({
    operation: 'and',
    tokens: [
      { key: 'metric', operator, values: [`${metric}:${limit}`] },
      { ...ofGroup, operator: '=' },
    ],
  });
  return `/devices?${new URLSearchParams({ q }).toString()}`;
}
