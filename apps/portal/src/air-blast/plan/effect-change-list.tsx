import type { ReactNode } from 'react';
import type { EffectChange } from '@deviceportal/contract/effect-changes';
import { useT } from '../../i18n/use-t.ts';
import { KeyValue } from '../../ui/key-value.tsx';

/** Differences between two effects, with the value before and after. */
export function EffectChangeList({
  changes,
}: {
  readonly changes: readonly EffectChange[];
}): ReactNode {
  const t = useT();
  return (
    <KeyValue
      columns={1}
      items={changes.map((change) => ({
        label: `${t(`airBlast.effectPart.${change.part}`)} ${change.name}`.trim(),
        value: <Values change={change} />,
      }))}
    />
  );
}

function Values({ change }: { readonly change: EffectChange }): ReactNode {
  const t = useT();
  return (
    <>
      <del>{change.before ?? t('airBlast.notThere')}</del>
      {' → '}
      <ins>{change.after ?? t('airBlast.notThere')}</ins>
    </>
  );
}
