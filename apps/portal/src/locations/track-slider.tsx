import FormField from '@cloudscape-design/components/form-field';
import Slider from '@cloudscape-design/components/slider';
import type { ReactNode } from 'react';
import type { DevicePlace } from '@deviceportal/contract/devices';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';

export interface TrackSliderProps {
  /** Newest first, at least two. */
  readonly track: readonly DevicePlace[];
  /** The index of the shown location. */
  readonly position: number;
  readonly onChange: (position: number) => void;
}

/** Steps through the location history from the oldest to the newest. */
export function TrackSlider({ track, position, onChange }: TrackSliderProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const last = track.length - 1;
  const wordsOf = (value: number): string => {
    const at = track[last - value]?.at;
    return at === undefined ? '' : format.absolute(Date.parse(at));
  };
  return (
    <FormField label={t('locations.slider')} description={wordsOf(last - position)}>
      <Slider
        min={0}
        max={last}
        value={last - position}
        valueFormatter={wordsOf}
        ariaLabel={t('locations.slider')}
        hideFillLine
        onChange={({ detail }) => onChange(last - detail.value)}
      />
    </FormField>
  );
}
