import type { ReactNode } from 'react';
import { showCutText } from './show-cut-text.ts';
import { watchScrollEdge } from './watch-scroll-edge.ts';
import './table-place.css';

/**
 * The place of a Cloudscape table: shows a shadow at the edge while columns are out of sight, and the
 * whole text of a cell that is too narrow for it.
 */
export function TablePlace({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div
      className="dp-table-place"
      ref={watchScrollEdge}
      onMouseOver={showCutText}
      onFocus={showCutText}
    >
      {children}
    </div>
  );
}
