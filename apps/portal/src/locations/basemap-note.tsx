import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

export interface BasemapNoteProps {
  /** Of the operator's tiles; empty: nothing to say. */
  readonly attribution: string;
  readonly tilesFail: boolean;
}

/** Whose map this is, or why it is the offline one. */
export function BasemapNote({ attribution, tilesFail }: BasemapNoteProps): ReactNode {
  const t = useT();
  if (tilesFail)
    return (
      <div className="dp-map-note" role="status">
        {t('locations.tiles.fail')}
      </div>
    );
  return attribution === '' ? null : <div className="dp-map-note">{attribution}</div>;
}
