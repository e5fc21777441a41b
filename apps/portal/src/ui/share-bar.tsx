import {
  colorBorderDividerDefault,
  colorChartsPaletteCategorical1,
} from '@cloudscape-design/design-tokens';
import type { ReactNode } from 'react';
import './share-bar.css';

/** A share as a bar. The text next to it has the same content. */
export function ShareBar({
  share,
  words,
}: {
  /** 0 … 1 */
  readonly share: number;
  readonly words: string;
}): ReactNode {
  const percent = Math.max(0, Math.min(1, share)) * 100;
  return (
    <span className="dp-share">
      <span
        className="dp-share-track"
        style={{ background: colorBorderDividerDefault, display: 'block' }}
      >
        <span
          className="dp-share-part"
          style={{
            background: colorChartsPaletteCategorical1,
            display: 'block',
            inlineSize: `${percent}%`,
          }}
        />
      </span>
      <span className="dp-share-words">{words}</span>
    </span>
  );
}
