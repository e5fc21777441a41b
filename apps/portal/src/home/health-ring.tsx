import type { ReactNode } from 'react';
import './health-ring.css';

export interface RingPart {
  readonly id: string;
  readonly count: number;
}

const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;
/** The smallest share that is drawn, so that every part is visible. */
const SMALLEST_SHARE = 0.012;

/**
 * Shares of a total as a ring. Colors depend on the part ids (see the style sheet). Screen readers
 * get one image with a title, because the numbers are links next to it.
 */
export function HealthRing({
  parts,
  title,
  children,
}: {
  readonly parts: readonly RingPart[];
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const arcs = arcsOf(parts);
  return (
    <div className="health-ring">
      <svg viewBox="0 0 100 100" role="img" aria-label={title}>
        <circle className="health-ring-ground" cx="50" cy="50" r={RADIUS} />
        {arcs.map(({ id, length, offset }) => (
          <circle
            key={id}
            className={`health-ring-part health-${id}`}
            cx="50"
            cy="50"
            r={RADIUS}
            strokeDasharray={`${length} ${ROUND - length}`}
            strokeDashoffset={-offset}
          />
        ))}
      </svg>
      <div className="health-ring-middle">{children}</div>
    </div>
  );
}

function arcsOf(parts: readonly RingPart[]) {
  const shown = parts.filter(({ count }) => count > 0);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  const widened = shown.map(({ id, count }) => ({
    id,
    share: Math.max(SMALLEST_SHARE, count / total),
  }));
  const whole = widened.reduce((sum, { share }) => sum + share, 0);
  let offset = 0;
  return widened.map(({ id, share }) => {
    const length = (share / whole) * ROUND;
    const arc = { id, length, offset };
    offset += length;
    return arc;
  });
}
