import type { ReactNode } from 'react';
import './health-ring.css';

export interface RingPart {
  readonly id: string;
  readonly count: number;
}

const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;
/** A part that is there at all is seen, however few it is. */
const SMALLEST_SHARE = 0.012;

/**
 * Shares of a whole as a ring; colors follow the parts' ids (see the style sheet). The numbers stand beside it as
 * links, so that to a screen reader it is one picture with its title.
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
