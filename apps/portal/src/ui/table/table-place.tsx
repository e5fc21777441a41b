import type { ReactNode } from 'react';
import { watchScrollEdge } from './watch-scroll-edge.ts';
import './table-place.css';

/** The place of a Cloudscape table: shows a shadow at the edge while columns are out of sight. */
export function TablePlace({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="dp-table-place" ref={watchScrollEdge}>
      {children}
    </div>
  );
}
