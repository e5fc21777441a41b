import type { ReactNode } from 'react';
import { splitHidden } from '@deviceportal/contract/hidden-words';

/** A text of a report. Parts that the sender hid look the same everywhere. */
export function ReportText({ text }: { readonly text: string }): ReactNode {
  return splitHidden(text).map((part, index) =>
    part.isHidden ? (
      // A text of a finished report never changes.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className="dp-report-hidden">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
