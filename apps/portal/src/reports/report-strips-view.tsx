import type { ReactNode } from 'react';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import type { StripState } from '@deviceportal/contract/user-report-document';

const GAP_PATTERN = 'dp-strip-gap';

/** A bar for each device over the time range. The text next to it has the same content. */
export function ReportStripsView({
  block,
}: {
  readonly block: Extract<ReportBlock, { readonly kind: 'strips' }>;
}): ReactNode {
  return (
    <div className="dp-report-strips">
      <svg className="dp-strip-patterns" aria-hidden="true">
        <pattern
          id={GAP_PATTERN}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className="dp-strip-gap" width="2" height="6" />
        </pattern>
      </svg>
      <ul className="dp-report-legend">
        {block.legend.map(({ state, words }) => (
          <li key={state}>
            <svg className="dp-strip-key" viewBox="0 0 12 12" aria-hidden="true">
              <Piece state={state} x={0} width={12} height={12} />
            </svg>
            {words}
          </li>
        ))}
      </ul>
      <ul>
        {block.strips.map((strip) => (
          <li key={strip.label}>
            <span>{strip.label}</span>
            <svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
              {strip.pieces.map(({ start, share, state }) => (
                <Piece
                  key={start}
                  state={state}
                  x={start * 1_000}
                  width={Math.max(1.5, share * 1_000)}
                  height={20}
                />
              ))}
            </svg>
            <span>{strip.words}</span>
          </li>
        ))}
        <li aria-hidden="true">
          <span />
          <span className="dp-report-span">
            <span>{block.from}</span>
            <span>{block.to}</span>
          </span>
          <span />
        </li>
      </ul>
    </div>
  );
}

/** Offline is half as high, and time without data is hatched: recognizable without colors. */
function Piece({
  state,
  x,
  width,
  height,
}: {
  readonly state: StripState;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const top = state === 'offline' ? height / 2 : 0;
  const shape = { x, y: top, width, height: height - top };
  return state === 'unknown' ? (
    <rect {...shape} fill={`url(#${GAP_PATTERN})`} />
  ) : (
    <rect {...shape} className={`dp-strip-${state}`} />
  );
}
