import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { Pair } from './form-model.ts';
import { PairsEditor } from './pairs-editor.tsx';

export interface MapListEditorProps {
  readonly maps: readonly (readonly Pair[])[];
  readonly onChange: (maps: readonly (readonly Pair[])[]) => void;
  readonly onLeave: () => void;
}

/** Edits a list of groups of name-value pairs. */
export function MapListEditor({ maps, onChange, onLeave }: MapListEditorProps): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      {maps.map((pairs, index) => (
        // Groups have no ID, so the index is the key.
        <fieldset key={index} className="dp-command-map">
          <legend>
            <Box variant="strong">{t('commands.form.map.title', { number: index + 1 })}</Box>
          </legend>
          <SpaceBetween size="s">
            <PairsEditor
              pairs={pairs}
              onLeave={onLeave}
              onChange={(changed) =>
                onChange(maps.map((each, place) => (place === index ? changed : each)))
              }
            />
            <Button onClick={() => onChange(maps.filter((_each, place) => place !== index))}>
              {t('commands.form.map.remove', { number: index + 1 })}
            </Button>
          </SpaceBetween>
        </fieldset>
      ))}
      <Button iconName="add-plus" onClick={() => onChange([...maps, [{ key: '', value: '' }]])}>
        {t('commands.form.map.add')}
      </Button>
    </SpaceBetween>
  );
}
