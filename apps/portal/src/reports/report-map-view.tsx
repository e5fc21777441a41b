import type { ReactNode } from 'react';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';

/** A static map: land and a dot for each device. The table below has the same content. */
export function ReportMapView({
  block: { map, words },
}: {
  readonly block: Extract<ReportBlock, { readonly kind: 'map' }>;
}): ReactNode {
  return (
    <figure className="dp-report-map">
      <svg viewBox={`0 0 ${map.width} ${map.height}`} role="img" aria-label={words}>
        <path d={map.land} />
        {map.points.map(({ x, y, device, reach }) =>
          reach === undefined ? null : (
            <circle key={device} className="dp-report-reach" cx={x} cy={y} r={reach} />
          ),
        )}
        {map.points.map(({ x, y, device }) => (
          <circle key={device} cx={x} cy={y} r={4} />
        ))}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  );
}
