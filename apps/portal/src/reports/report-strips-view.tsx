import type { ReactNode } from 'react';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';

/** A bar for each device over the time range. The text next to it has the same content. */
export function ReportStripsView({
  block,
}: {
  readonly block: Extract<ReportBlock, { readonly kind: 'strips' }>;
}): ReactNode {
  return (
    <div className="dp-report-strips">
      <ul className="dp-report-legend">
        {block.legend.map(({ state, words }) => (
          <li key={state}>
            <span className={`dp-strip-key dp-strip-${state}`} />
            {words}
          </li>
        ))}
      </ul>
      <ul>
        {block.strips.map((strip) => (
          <li key={strip.label}>
            <span>{strip.label}</span>
            <svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
              {strip.pieces.map(({ start, share, state }) => {
                const isThin = state === 'offline' || state === 'unknown';
                return (
                  <rect
                    key={start}
                    className={`dp-strip-${state}`}
                    x={start * 1_000}
                    width={Math.max(1.5, share * 1_000)}
                    y={isThin ? 10 : 0}
                    height={isThin ? 10 : 20}
                  />
                );
              })}
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
