import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

export interface BasemapNoteProps {
  /** The attribution of the operator’s tiles. Empty without one. */
  readonly attribution: string;
  readonly tilesFail: boolean;
}

/** The attribution of the map, or the reason why the offline map is shown. */
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
