import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Input from '@cloudscape-design/components/input';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { Pair } from './form-model.ts';

export interface PairsEditorProps {
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  readonly onLeave: () => void;
}

/** Edits name-value pairs. */
export function PairsEditor({ pairs, onChange, onLeave }: PairsEditorProps): ReactNode {
  const t = useT();
  const set = (index: number, change: Partial<Pair>): void =>
    onChange(pairs.map((pair, each) => (each === index ? { ...pair, ...change } : pair)));
  const field = (part: keyof Pair) => (pair: Pair, index: number) => (
    <Input
      value={pair[part]}
      ariaLabel={t(`commands.form.pair.${part}`)}
      spellcheck={false}
      onBlur={onLeave}
      onChange={({ detail }) => set(index, { [part]: detail.value })}
    />
  );
  return (
    <AttributeEditor<Pair>
      items={pairs}
      addButtonText={t('commands.form.pair.add')}
      removeButtonText={t('commands.form.pair.remove')}
      empty={t('commands.form.pair.none')}
      definition={[
        { label: t('commands.form.pair.key'), control: field('key') },
        { label: t('commands.form.pair.value'), control: field('value') },
      ]}
      onAddButtonClick={() => onChange([...pairs, { key: '', value: '' }])}
      onRemoveButtonClick={({ detail }) =>
        onChange(pairs.filter((_pair, index) => index !== detail.itemIndex))
      }
    />
  );
}
